import { choice, flow, text, tool } from "../../mod.ts";

const lookUpOrder = tool({
  name: "look_up_order",
  description: "Finds an order by its number: its status and the day on which it arrives",
  parameters: {
    type: "object",
    properties: { order_number: { type: "string", description: "Number of the order, such as A-1042" } },
    required: ["order_number"],
  },
  url: "https://example.com/orders/look-up",
  responseVariables: { order_status: "$.status", order_arrival: "$.arrives" },
});

/** The phone of a shop that sells lamps: orders, returns, lamps that do not light up, and a manager for everything. */
export const helpDesk = flow("help-desk", {
  prompt: "You answer the phone of Lumen, a shop that sells lamps. Be brief and friendly.",
  beginMessage: "Hello, this is Lumen. How can I help you?",
  variables: {
    topic: choice("Why the caller calls. Order: where a parcel is; return: sending it back; repair: it is broken", [
      "order",
      "return",
      "repair",
    ]),
    order_number: text("Number of the order, such as A-1042"),
  },
  snippets: {
    anything_else: 'Ask: "Is there anything else I can do for you?"',
  },
  tools: [lookUpOrder],
})
  .conversation("welcome", {
    prompt: "Ask how you can help.",
    next: ({ to }) => [to("find_topic", "Caller gives a reason for the call")],
  })
  .extract("find_topic", {
    fills: ["topic", "order_number"],
    next: ({ to }) => [to("route")],
  })
  .logic("route", {
    next: ({ to, when, otherwise }) => [
      to("look_up", when("topic", "==", "order").and("order_number", "exists")),
      to("ask_number", when("topic", "==", "order")),
      to("return_lamp", when("topic", "==", "return")),
      to("check_lamp", when("topic", "==", "repair")),
      otherwise("welcome"),
    ],
  })
  .conversation("ask_number", {
    prompt: "Ask for the order number.",
    next: ({ to }) => [
      to("read_number", "Caller gives the order number"),
      to("manager", "Caller does not have the order number"),
    ],
  })
  .extract("read_number", {
    fills: ["order_number"],
    next: ({ to }) => [to("look_up")],
  })
  .function("look_up", {
    tool: "look_up_order",
    next: ({ to }) => [to("tell_status", { outcome: "succeeded" }), to("not_found", { outcome: "failed" })],
  })
  .conversation("tell_status", {
    prompt:
      "Tell the caller that order {{order_number}} is {{order_status}} and arrives on {{order_arrival}}. {%anything_else%}",
    next: ({ to }) => [
      to("goodbye", "Caller has no more questions"),
      to("find_topic", "Caller has another question, about an order, a return or a broken lamp"),
    ],
  })
  .conversation("not_found", {
    prompt: "Tell the caller that there is no order {{order_number}}. Ask for the number on the receipt.",
    next: ({ to }) => [to("read_number", "Caller gives the number")],
  })
  .conversation("return_lamp", {
    prompt: "Tell the caller that every lamp can be sent back within 30 days. Offer to email the label for the parcel.",
    next: ({ to }) => [to("label_sent", "Caller accepts the label"), to("goodbye", "Caller does not want the label")],
  })
  .conversation("label_sent", {
    prompt: "Tell the caller that the label is on its way. {%anything_else%}",
    next: ({ to }) => [
      to("goodbye", "Caller has no more questions"),
      to("find_topic", "Caller has another question, about an order, a return or a broken lamp"),
    ],
  })
  .conversation("check_lamp", {
    prompt: "Ask the caller to screw the bulb in again. Ask whether the lamp lights up now.",
    next: ({ to }) => [
      to("goodbye", "Lamp lights up"),
      to("technician", "Lamp does not light up, or it is still dark"),
    ],
  })
  .transfer("technician", {
    prompt: "Tell the caller that you will put them through to a technician.",
    retell: { transfer_destination: { type: "predefined", number: "+14155550123" } },
  })
  .global("manager", {
    when: "Caller asks for a manager",
    goBack: "Caller is ready to continue",
    prompt: "Tell the caller that the manager calls back today. Ask whether they are ready to continue.",
    next: ({ to }) => [to("goodbye", "Caller says goodbye")],
  })
  .end("goodbye", { prompt: "Thank the caller for calling Lumen. Say goodbye." })
  .compile();
