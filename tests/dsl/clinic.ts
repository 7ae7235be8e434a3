import { choice, flow, text } from "../../dsl/mod.ts";

export const clinic = flow("clinic", {
  prompt: "You answer the phone of a small clinic.",
  variables: {
    caller_name: text("Caller's first name"),
    intent: choice("Why the caller calls", ["book", "cancel"]),
  },
})
  .conversation("greet", {
    prompt: "Greet {{caller_name}} and ask how you can help.",
    next: ({ to }) => [to("ask", "Caller gives a reason")],
  })
  .extract("ask", {
    fills: ["intent"],
    next: ({ to, when }) => [to("book", when("intent", "==", "book")), to("bye")],
  })
  .conversation("book", { prompt: "Book an appointment.", next: ({ to }) => [to("bye", "Booked")] })
  .global("manager", {
    when: "Caller asks for a manager",
    goBack: "Caller is ready to continue",
    prompt: "Take a message for the manager.",
  })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
