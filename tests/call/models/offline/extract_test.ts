import assert from "node:assert/strict";
import { test } from "node:test";
import { fillArguments } from "../../../../src/call/models/offline/answer.ts";
import { findValue } from "../../../../src/call/models/offline/extract.ts";

/** A call as lines that begin with `a:` or `c:`. */
function lines(...texts: readonly string[]) {
  return texts.map((text) => ({
    role: text.startsWith("a:") ? ("assistant" as const) : ("user" as const),
    content: text.slice(2).trim(),
  }));
}

const text = (description: string, name = "value") => ({ name, description, type: "string", choices: [] });

test("findValue() picks the choice whose words the caller used last", () => {
  const intent = { ...text("Why the caller calls"), type: "enum", choices: ["book", "cancel_appointment"] };
  assert.equal(findValue(intent, lines("c: I'd like to reserve a table")), "book");
  assert.equal(findValue(intent, lines("c: I booked a table", "c: No, cancel the appointment")), "cancel_appointment");
  assert.equal(findValue(intent, lines("c: hello there")), null);
  assert.equal(findValue(intent, lines("c: I do not want to book")), null);
});

test("findValue() recognizes a choice by its description", () => {
  const description = "Order: where a parcel is; refund: money back";
  const topic = { ...text(description), type: "enum", choices: ["order", "refund"] };
  assert.equal(findValue(topic, lines("c: My parcel has not come")), "order");
  assert.equal(findValue(topic, lines("c: Give me my money")), "refund");
});

test("findValue() recognizes values by their form", () => {
  assert.equal(findValue(text("Number of the order"), lines("c: order A-1042 please")), "A-1042");
  assert.equal(findValue(text("Order number"), lines("c: it's four eight one five")), "4815");
  assert.equal(findValue(text("Email of the caller"), lines("c: write to ann@example.com.")), "ann@example.com");
  assert.equal(findValue(text("Phone number"), lines("c: call me on +49 170 1234567")), "+49 170 1234567");
  assert.equal(findValue(text("Day of the visit"), lines("c: next Tuesday at noon")), "next Tuesday");
  assert.equal(findValue(text("Name of the caller"), lines("c: hi, my name is Anna van Dyk")), "Anna van Dyk");
  assert.equal(findValue(text("Name"), lines("a: What is your name?", "c: Anna Fischer.")), "Anna Fischer");
  assert.equal(findValue(text("Name of the caller"), lines("c: where is my order")), null);
});

test("findValue() reads numbers and booleans", () => {
  const guests = { ...text("Number of guests"), type: "number" };
  assert.equal(findValue(guests, lines("c: a table for twenty five")), 25);
  assert.equal(findValue(guests, lines("c: for 4")), 4);
  assert.equal(findValue(guests, lines("c: for us")), null);
  const member = { ...text("Whether the caller is a member"), type: "boolean" };
  assert.equal(findValue(member, lines("a: Are you a member?", "c: Yes")), true);
  assert.equal(findValue(member, lines("c: I am not a member")), false);
  assert.equal(findValue(member, lines("c: hello")), null);
});

test("fillArguments() uses variables first, then the caller's words, and invents nothing", () => {
  const args = fillArguments({
    instructions: "",
    tool: {
      name: "book",
      description: "",
      parameters: {
        type: "object",
        properties: {
          orderId: { type: "string" },
          guests: { type: "integer", description: "Number of guests" },
          email: { type: "string" },
          kind: { type: "string", const: "phone" },
        },
        required: ["orderId", "guests", "email"],
      },
    },
    variables: { order_number: "A-1042" },
    conversation_history: lines("c: we are three guests"),
  });
  assert.deepEqual(args, { orderId: "A-1042", guests: 3, kind: "phone" });
});
