const said = (...texts: readonly string[]) => ({
  messages: texts.map((text) => ({ text: { text: [text] }, languageCode: "en" })),
});
const phrases = (...texts: readonly string[]) => ({
  trainingPhrases: texts.map((text) => ({ parts: [{ text }], repeatCount: 1, languageCode: "en" })),
});
const asks = (displayName: string, entityType: string, text: string) => ({
  displayName,
  required: true,
  entityType,
  fillBehavior: { initialPromptFulfillment: said(text) },
});

/** The files of a clinic's agent: two flows, a form, a webhook, conditions and a transfer. */
export const CLINIC = {
  files: {
    "agent.json": { displayName: "Clinic", defaultLanguageCode: "en", startFlow: "Default Start Flow" },
    "flows/Default Start Flow/Default Start Flow.json": {
      displayName: "Default Start Flow",
      transitionRoutes: [
        { intent: "Default Welcome Intent", triggerFulfillment: said("Clinic, how can I help?") },
        { intent: "appointment", triggerFulfillment: said("Gladly."), targetPage: "Booking" },
        { intent: "billing", targetFlow: "Billing" },
        { intent: "person", targetPage: "Front desk" },
      ],
      eventHandlers: [{ event: "sys.no-match-default", triggerFulfillment: said("Pardon?") }],
      nluSettings: { modelType: "MODEL_TYPE_STANDARD" },
    },
    "flows/Default Start Flow/pages/Booking.json": {
      displayName: "Booking",
      form: {
        parameters: [
          asks("doctor", "@doctor", "Which doctor?"),
          asks("day", "@sys.date", "On which day?"),
          { displayName: "note", entityType: "@sys.any" },
        ],
      },
      transitionRoutes: [
        {
          condition: '$page.params.status = "FINAL" AND ($session.params.doctor = "Day" OR $session.params.visits > 3)',
          triggerFulfillment: {
            ...said("$session.params.doctor is away."),
            setParameterActions: [{ parameter: "away", value: "yes" }],
          },
          targetPage: "Front desk",
        },
        {
          condition: '$page.params.status = "FINAL"',
          triggerFulfillment: { webhook: "calendar", tag: "book", ...said("One moment.") },
          targetPage: "Booked",
        },
      ],
    },
    "flows/Default Start Flow/pages/Booked.json": {
      displayName: "Booked",
      entryFulfillment: {
        ...said("It is booked."),
        conditionalCases: [
          {
            cases: [
              {
                condition: '$session.params.day = "2027-01-01"',
                caseContent: [{ message: { text: { text: ["We are open that day."] } } }],
              },
              { caseContent: [{ message: { text: { text: ["See you."] } } }] },
            ],
          },
        ],
      },
      transitionRoutes: [{ condition: "true", targetPage: "End Session" }],
    },
    "flows/Default Start Flow/pages/Front desk.json": {
      displayName: "Front desk",
      entryFulfillment: { messages: [{ telephonyTransferCall: { phoneNumber: "+15550100" }, languageCode: "en" }] },
    },
    "flows/Billing/Billing.json": {
      displayName: "Billing",
      transitionRoutes: [{ condition: "true", targetPage: "Bill%2fAsk" }],
    },
    "flows/Billing/pages/Bill%252fAsk.json": {
      displayName: "Bill%2fAsk",
      entryFulfillment: said("Is it about your last bill?"),
      transitionRoutes: [
        { intent: "yes", triggerFulfillment: said("It was paid."), targetPage: "End Flow" },
        { intent: "no", triggerFulfillment: said("Which one then?") },
      ],
    },
    "intents/appointment/appointment.json": {
      displayName: "appointment",
      parameters: [{ id: "doctor", entityType: "@doctor" }],
    },
    "intents/appointment/trainingPhrases/en.json": phrases("I need an appointment", "book me in"),
    "intents/yes/yes.json": { displayName: "yes", description: "agrees" },
    "entityTypes/doctor/doctor.json": { displayName: "doctor", kind: "KIND_MAP" },
    "entityTypes/doctor/entities/en.json": {
      entities: [
        { value: "Day", synonyms: ["Day", "Doctor Day"], languageCode: "en" },
        { value: "Kim", synonyms: ["Kim"], languageCode: "en" },
      ],
    },
    "webhooks/calendar.json": {
      displayName: "calendar",
      genericWebService: { uri: "https://clinic.example/book" },
      timeout: { seconds: 5 },
    },
    "testCases/first.json": { displayName: "first" },
  },
};
