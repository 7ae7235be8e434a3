import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedCall } from "../../../../api/calls.ts";
import { createPseudonymizer } from "../../../../api/calls.ts";
import type { Message } from "../../../../mod.ts";

const { text, value, call } = await createPseudonymizer({ key: "a key for tests" });

test("a person has one pseudonym: with the full name, the first or last one, in an address and spelled", () => {
  const [first = "", last = ""] = text("My name is Maria Lopez.")
    .replace("My name is ", "")
    .replace(".", "")
    .split(" ");
  assert.match(first, /^[A-Z][a-z]+$/);
  assert.equal(text("Thank you, Maria."), `Thank you, ${first}.`);
  assert.equal(text("Of course, Ms. Lopez."), `Of course, Ms. ${last}.`);
  assert.equal(text("maria.lopez@gmail.com"), `${first}.${last}@callers.example`.toLowerCase());
  assert.equal(text("MARIA LOPEZ"), `${first} ${last}`.toUpperCase());
  assert.equal(text("my last name is l o p e z"), `my last name is ${[...last.toLowerCase()].join(" ")}`);
});

test("a phone number has one pseudonym however it is written, of an area code that is not in use", () => {
  const digits = text("Call (415) 555-0123.").replace(/\D/g, "");
  assert.match(digits, /^[2-8]9\d555\d{4}$/);
  for (const written of ["415-555-0123", "415.555.0123", "4155550123", "+1 415 555 0123", "+14155550123"])
    assert.equal(text(written).replace(/\D/g, "").slice(-10), digits, written);
  const words = "zero one two three four five six seven eight nine".split(" ");
  const spoken = text("it's four one five, five five five, oh one two three").replace("it's ", "");
  assert.equal(
    spoken
      .split(/,? /)
      .map((word) => words.indexOf(word))
      .join(""),
    digits,
  );
});

test("replacing a text again changes nothing", () => {
  for (const written of [
    "My name is Maria Lopez, call me at (415) 555-0123 or +44 20 7946 0958.",
    "It's 4242 4242 4242 4242, the account is 12345678, my social is 123-45-6789.",
    "I was born on March 4th, 1985 and live at 123 North Oak Street, Apt 4B, Springfield, IL 62704.",
    "DE89 3704 0044 0532 0130 00, maria dot lopez at gmail dot com",
  ]) {
    const once = text(written);
    assert.notEqual(once, written);
    assert.equal(text(once), once);
  }
});

test("keys say what a value is; numbers stay numbers", () => {
  const written = { passenger: { firstName: "Rose", last_name: "Brown" }, phone: 4155550123, seats: 4155550123 };
  const changed = value(written);
  assert.ok(typeof changed === "object" && changed !== null && "phone" in changed && "seats" in changed);
  assert.ok(!/Rose|Brown/.test(JSON.stringify(changed)));
  assert.equal(typeof changed.phone, "number");
  assert.notEqual(changed.phone, written.phone);
});

test("what one message or tool says of a person is replaced in all of the call, ids stay", () => {
  const message = (role: Message["role"], content: string): Message => ({
    role,
    content,
    node_id: "rose",
    timestamp: "2024-05-20T10:00:00.000Z",
    metadata: {},
  });
  const original: RecordedCall = {
    provenance: { format: "openai", callId: "c1", source: "calls.json", position: 1, redacted: false },
    startedAt: null,
    durationMs: null,
    transcript: [
      message("user", "the booking is mia_li_3668"),
      message("assistant", "What is your name?"),
      message("user", "rose brown"),
      message("assistant", "Rose, I see. I rose early."),
      message("tool", '{"name":{"first_name":"Mia","last_name":"Li"},"dob":"1990-04-05"}'),
      message("user", "April 5, 1990"),
    ],
    nodesVisited: ["rose"],
    toolsCalled: [],
    variables: { caller_name: "Rose Brown" },
  };
  const changed = call(original);
  const said = JSON.stringify(changed.transcript.map(({ content }) => content));
  assert.ok(!/mia|_li|brown|Rose|1990/i.test(said.replace("I rose early", "")), said);
  assert.ok(said.includes("I rose early"));
  assert.deepEqual(changed.nodesVisited, ["rose"]);
  assert.equal(changed.transcript[0]?.node_id, "rose");
  assert.ok(!/Rose|Brown/.test(JSON.stringify(changed.variables)));
});
