/** A squad with inline members and members by id, and with handoffs in every supported place. */
export function clinicSquad() {
  return {
    id: "sq_1",
    orgId: "org_1",
    name: "Clinic",
    createdAt: "2026-03-01T08:00:00.000Z",
    members: [
      {
        assistant: {
          name: "Greeter",
          firstMessage: "Riverside Clinic, how can I help?",
          firstMessageMode: "assistant-speaks-first",
          voice: { provider: "11labs", voiceId: "ada", fallbackVoice: null },
          silenceTimeoutSeconds: 20,
          model: {
            provider: "openai",
            model: "gpt-4o",
            temperature: 0.3,
            messages: [
              { role: "system", content: "Find out why {{caller}} calls." },
              { role: "user", content: "Hello" },
            ],
            tools: [
              {
                type: "function",
                async: false,
                function: {
                  name: "find_patient",
                  description: "Looks a patient up",
                  parameters: { type: "object", properties: { born: { type: "string", maxLength: 10 } } },
                },
                server: { url: "https://clinic.example/tools", timeoutSeconds: 20 },
                variableExtractionPlan: { aliases: [{ key: "patient_id", value: "{{ $.patient.id }}" }] },
              },
              {
                type: "handoff",
                destinations: [
                  { type: "assistant", assistantName: "Booking", description: "Caller wants an appointment" },
                  { type: "assistant", assistantName: "Night line", description: "The clinic is closed" },
                  { type: "assistant", assistantName: "Billing", description: "Caller asks about a bill" },
                ],
              },
              { type: "endCall", messages: [] },
            ],
          },
          hooks: [{ on: "call.ending", do: [{ type: "say", exact: "Bye" }] }],
        },
        assistantOverrides: {
          metadata: { position: { x: 10, y: 20 } },
          "tools:append": [
            {
              type: "handoff",
              async: false,
              function: { name: "to_nurse", description: "Caller is unwell" },
              destinations: [
                {
                  type: "assistant",
                  assistantId: "aaaa-nurse",
                  assistantName: "Nurse",
                  description: "Caller is unwell",
                  contextEngineeringPlan: { type: "lastNMessages", maxMessages: 6 },
                  variableExtractionPlan: { schema: { type: "object", properties: { symptom: { type: "string" } } } },
                },
              ],
              messages: [],
              rejectionPlan: { conditions: [{ type: "liquid", liquid: "{{ closed }}" }] },
            },
          ],
        },
      },
      {
        assistant: {
          name: "Booking",
          model: {
            provider: "anthropic",
            model: "claude-x",
            systemPrompt: "Book an appointment.",
            tools: [
              {
                type: "handoff",
                function: { name: "done", description: "The appointment is booked" },
                destinations: [{ type: "assistant", assistantName: "Greeter" }],
              },
            ],
          },
        },
      },
      {
        assistantId: "aaaa-nurse",
        assistantVersion: "v3",
        assistantOverrides: { model: { provider: "openai", model: "gpt-4o", temperature: 0 } },
        assistantDestinations: [
          { type: "assistant", message: "", assistantName: "Greeter", transferMode: "rolling-history" },
          { type: "assistant", message: "One moment", assistantName: "Booking", description: "Caller needs a visit" },
        ],
      },
      { assistant: { name: "Billing", model: { provider: "openai", model: "gpt-4o", messages: [] } }, note: null },
    ],
    membersOverrides: {
      variableValues: { caller: "the caller" },
      transcriber: { provider: "deepgram", language: "en" },
      "tools:append": [
        { type: "dtmf" },
        {
          type: "handoff",
          function: { name: "operator", description: "Caller insists on billing" },
          destinations: [{ type: "assistant", assistantName: "Billing", description: "Caller insists on billing" }],
        },
      ],
    },
  };
}

/** An assistant with tools in every supported place, and with keys that Vapi has removed. */
export function deskAssistant() {
  return {
    id: "as_1",
    name: "Desk",
    firstMessage: "Good morning.",
    model: {
      provider: "custom-llm",
      url: "https://llm.example",
      model: "house/model",
      messages: [{ role: "system", content: "You answer for a small hotel." }],
      toolIds: ["tool_1"],
      tools: [
        { type: "transferCall", destinations: [{ type: "number", number: "+15550100", message: "One moment" }] },
        {
          type: "apiRequest",
          name: "rooms",
          method: "GET",
          url: "https://hotel.example/rooms?d={{day}}",
          body: { type: "object" },
        },
        { type: "tool.of.tomorrow", payload: [1, null] },
        "not a tool",
      ],
    },
    functions: [{ name: "old_style", description: "From before there were tools", parameters: { type: "object" } }],
    endCallFunctionEnabled: true,
    isServerUrlSecretSet: false,
    voicemailDetection: null,
    analysisPlan: { summaryPlan: { enabled: false } },
  };
}
