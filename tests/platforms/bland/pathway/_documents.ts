const position = { x: 10, y: 20 };
const HISTORY = [
  { role: "user", content: "<<CALL CONNECTED>>" },
  { role: "assistant", content: "Hello." },
];

/** A pathway with every construct, as the dashboard exports it. */
export const GARAGE = {
  nodes: [
    {
      id: "1",
      type: "Default",
      position,
      width: 320,
      data: {
        name: "Greeting",
        isStart: true,
        text: "Welcome to the garage.",
        prompt: "Be brief.",
        tag: null,
        modelOptions: { modelType: "smart", skipUserResponse: true },
      },
    },
    {
      id: "plate",
      type: "Default",
      position,
      data: {
        name: "Ask for the plate",
        prompt: "Ask for the number plate.",
        condition: "The caller has confirmed the plate.",
        extractVars: [
          ["plate"],
          ["year", "integer"],
          ["colour", "string", "The colour. One of: red, blue"],
          ["owner", "string", "Name of the owner", true],
          ["bland-prompt", "string", "Trust what was confirmed."],
        ],
        extractVarSettings: {},
        pathwayExamples: [
          { "Chosen Pathway": "Plate is confirmed", "Conversation History": HISTORY },
          { "Chosen Pathway": "Plate is confirmed", "Conversation History": JSON.stringify(HISTORY) },
          { "Chosen Pathway": "Plate is confirmed", "Conversation History": "user: hello", "User Input": "hello" },
        ],
        modelOptions: { newTemperature: 0.2 },
        tools: [
          {
            id: "t1",
            name: "find_car",
            description: "Finds a car by its plate",
            type: "webhook",
            behavior: "feed_context_and_route",
            config: { url: "https://garage.test/find", method: "POST", headers: { "X-Key": "{{SECRET.key}}" } },
            extractVars: [["plate", "string", "The plate", true]],
            responsePathways: [
              { type: "BlandStatusCode", operator: ">=", value: "400", nodeId: "bye" },
              { type: "car_id", operator: "==", value: "7", nodeId: "check" },
            ],
          },
        ],
      },
    },
    {
      id: "check",
      type: "Webhook",
      position,
      data: {
        name: "check_car",
        url: "https://garage.test/cars/{{plate}}",
        method: "GET",
        headers: [["X-Key", "{{SECRET.key}}"]],
        timeoutValue: 10,
        prompt: "Say that you look.",
        responseData: [{ name: "state", data: "$.state", context: "" }],
        responsePathways: [
          ["state", "is", "ready", { id: "ready", name: "Ready" }],
          ["state", "is", "not null", { id: "route", name: "Route" }],
          ["BlandStatusCode", ">=", "400", { id: "bye", name: "Goodbye" }],
          ["Default/Webhook Completion", "", { id: "bye", name: "Goodbye" }],
        ],
      },
    },
    {
      id: "route",
      type: "Route",
      position,
      data: {
        name: "By year",
        routes: [
          {
            conditions: [
              { field: "year", operator: ">=", value: 2020 },
              { field: "colour", operator: "is not", value: "null" },
            ],
            targetNodeId: "ready",
          },
          { conditions: [{ field: "state", operator: "not contains", value: "broken" }], targetNodeId: "desk" },
        ],
        fallbackNodeId: "bye",
      },
    },
    { id: "ready", type: "Default", position, data: { name: "Ready", prompt: "Say that the car is ready." } },
    {
      id: "desk",
      type: "Transfer Call",
      position,
      data: { name: "Desk", prompt: "One moment.", transferNumber: "+15550100", transferExtension: "7" },
    },
    {
      id: "manager",
      type: "Default",
      position,
      data: {
        name: "Manager",
        prompt: "Take a message.",
        isGlobal: true,
        globalLabel: "Caller asks for a manager",
        globalDescription: "Only if the caller insists",
      },
    },
    {
      id: "stop",
      type: "Default",
      position,
      data: { name: "Stop", isGlobal: true, globalLabel: "Caller wants to stop", forwardingNode: "bye" },
    },
    { id: "lex", type: "Amazon Lex", position, data: { name: "Lex", prompt: "Ask Lex.", botId: "b" } },
    { id: "new", type: "Some New Type", position, data: { name: "New", setting: 1 } },
    { id: "bye", type: "End Call", position, data: { name: "Goodbye", text: "Goodbye." } },
    { globalConfig: { globalPrompt: "You answer for a garage." }, position },
  ],
  edges: [
    {
      id: "e1",
      source: "1",
      target: "plate",
      type: "custom",
      data: { label: "Always Pick This Edge", alwaysPick: true },
    },
    {
      id: "e2",
      source: "plate",
      target: "check",
      type: "custom",
      data: { label: "Plate is confirmed", description: "Only then" },
    },
    { id: "e3", source: "plate", target: "bye", label: "Caller has no plate", type: "custom" },
    { id: "e4", source: "check", target: "ready", type: "custom", data: { label: "state is ready" } },
    { id: "e5", source: "ready", target: "bye", type: "custom", data: { label: "Nothing else", isHighlighted: false } },
    { id: "e6", source: "ready", target: "gone", type: "custom", data: { label: "Nowhere" } },
    { id: "e7", source: "check", target: "lex", type: "custom", data: { label: "Something else" } },
    { id: "e8", source: "lex", target: "new", type: "custom", data: { label: "Done" } },
    { id: "e9", source: "new", target: "bye", type: "custom", data: { label: "Go on", alwaysPick: true } },
  ],
};
