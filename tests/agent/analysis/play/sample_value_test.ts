import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleValue } from "../../../../src/agent/analysis/play/play_path.ts";

const sampleOf = (name: string) => sampleValue({ name, description: "", type: "string" });

test("personas give a person's name only for variables that hold one", () => {
  for (const name of ["name", "caller_name", "fullName", "customer's name", "patient_full_name"])
    assert.equal(sampleOf(name), "Anna Fischer", name);
  for (const name of ["service_name", "product name", "planName", "filename", "clinic_name", "name_of_the_drug"])
    assert.notEqual(sampleOf(name), "Anna Fischer", name);
});

test("personas take whole words of a variable's name, not parts of words", () => {
  assert.deepEqual(["birth_date", "appointmentDate", "city", "pickup_time", "firstName", "companyName"].map(sampleOf), [
    "May 4, 1985",
    "March 3",
    "Springfield",
    "10 in the morning",
    "Anna",
    "Lumen",
  ]);
  for (const name of ["capacity", "last_update", "sometimes", "candidate"])
    assert.equal(sampleOf(name), undefined, name);
});
