import { choice, flow, text } from "../../mod.ts";

/** The phone of a small clinic: books and cancels appointments, and sends emergencies to the emergency line. */
export const clinic = flow("clinic", {
  prompt: "You answer the phone of Doctor Lind's clinic. The clinic is open on weekdays from 8 to 17.",
  variables: {
    caller_name: text("Full name of the caller"),
    intent: choice("What the caller wants to do with an appointment", ["book", "cancel"]),
    visit_day: text("Day of the appointment"),
  },
})
  .conversation("greet", {
    text: "Doctor Lind's clinic, hello. Would you like to book or to cancel an appointment?",
    next: ({ to }) => [to("intent", "Caller wants to book or to cancel an appointment")],
  })
  .extract("intent", {
    fills: ["intent", "visit_day"],
    next: ({ to, when, otherwise }) => [
      to("book", when("intent", "==", "book")),
      to("cancel", when("intent", "==", "cancel")),
      otherwise("greet"),
    ],
  })
  .conversation("book", {
    prompt: "Ask for their full name. Ask on which day they would like to come.",
    next: ({ to }) => [to("note", "Caller gives the day")],
  })
  .extract("note", { fills: ["caller_name", "visit_day"], next: ({ to }) => [to("bye")] })
  .conversation("cancel", {
    prompt: "Ask for the name on the appointment.",
    next: ({ to }) => [to("note", "Caller gives the name")],
  })
  .transfer("emergency", {
    global: { when: "Caller has an emergency" },
    text: "I am connecting you to the emergency line.",
    retell: { transfer_destination: { type: "predefined", number: "+14155550199" } },
  })
  .end("bye", { prompt: "Thank the caller. Say goodbye." })
  .compile();
