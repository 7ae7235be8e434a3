/** A flow as Studio exports it: a menu by keys and words, a request, a message box and a transfer. */
export const CLINIC = {
  description: "Clinic",
  states: [
    {
      name: "Trigger",
      type: "trigger",
      transitions: [
        { event: "incomingMessage" },
        { next: "welcome", event: "incomingCall" },
        { event: "incomingRequest" },
      ],
      properties: { offset: { x: 0, y: 0 } },
    },
    {
      name: "welcome",
      type: "say-play",
      transitions: [{ next: "menu", event: "audioComplete" }],
      properties: {
        voice: "Polly.Joanna-Neural",
        offset: { x: 0, y: 200 },
        loop: 1,
        say: "Welcome to the clinic.",
        language: "en-US",
      },
    },
    {
      name: "menu",
      type: "gather-input-on-call",
      transitions: [
        { next: "choice", event: "keypress" },
        { next: "choice", event: "speech" },
        { next: "welcome", event: "timeout" },
      ],
      properties: {
        ...{
          voice: "Polly.Joanna-Neural",
          speech_timeout: "auto",
          offset: { x: 0, y: 400 },
          loop: 1,
          hints: "appointment,doctor",
        },
        ...{
          finish_on_key: "#",
          say: "Press 1 for an appointment, 2 for a doctor.",
          language: "en-US",
          stop_gather: true,
        },
        ...{ gather_language: "en", profanity_filter: "true", timeout: 5, number_of_digits: 1 },
      },
    },
    {
      name: "choice",
      type: "split-based-on",
      transitions: [
        { event: "noMatch" },
        {
          next: "lookup",
          event: "match",
          conditions: [{ friendly_name: "1", arguments: ["{{widgets.menu.Digits}}"], type: "equal_to", value: "1" }],
        },
        {
          next: "doctor",
          event: "match",
          conditions: [
            {
              friendly_name: "doctor",
              arguments: ["{{widgets.menu.SpeechResult}}"],
              type: "matches_any_of",
              value: "doctor, nurse",
            },
          ],
        },
        {
          next: "doctor",
          event: "match",
          conditions: [{ friendly_name: "2", arguments: ["{{widgets.menu.Digits}}"], type: "regex", value: "^[2-9]$" }],
        },
      ],
      properties: { input: "{{widgets.menu.Digits}}", offset: { x: 0, y: 600 } },
    },
    {
      name: "lookup",
      type: "make-http-request",
      transitions: [
        { next: "remember", event: "success" },
        { next: "doctor", event: "failed" },
      ],
      properties: {
        ...{ offset: { x: 0, y: 800 }, method: "POST", content_type: "application/json;charset=utf-8" },
        ...{ body: '{"phone": "{{trigger.call.From}}", "urgent": false}', url: "https://clinic.example.com/patients" },
      },
    },
    {
      name: "remember",
      type: "set-variables",
      transitions: [{ next: "known", event: "next" }],
      properties: {
        variables: [
          { value: "{{widgets.lookup.parsed.patient.name}}", key: "patient_name" },
          { value: "phone", key: "channel" },
        ],
        offset: { x: 0, y: 1000 },
      },
    },
    {
      name: "known",
      type: "say-play",
      transitions: [{ event: "audioComplete" }],
      properties: {
        offset: { x: 0, y: 1200 },
        loop: 1,
        say: "Hello {{flow.variables.patient_name}}, we will call you back.",
      },
    },
    {
      name: "doctor",
      type: "connect-call-to",
      transitions: [{ next: "box", event: "callCompleted" }, { event: "hangup" }],
      properties: {
        offset: { x: 400, y: 800 },
        caller_id: "{{contact.channel.address}}",
        noun: "number",
        to: "+15550100",
        timeout: 30,
      },
    },
    {
      name: "box",
      type: "record-voicemail",
      transitions: [{ event: "recordingComplete" }, { event: "noAudio" }, { event: "hangup" }],
      properties: { transcribe: false, offset: { x: 400, y: 1000 }, play_beep: "true", timeout: 5, max_length: 3600 },
    },
    {
      name: "stream",
      type: "fork-stream",
      transitions: [{ next: "box", event: "next" }],
      properties: { stream_action: "start", stream_url: "wss://clinic.example.com/stream", offset: { x: 800, y: 0 } },
    },
  ],
  initial_state: "Trigger",
  flags: { allow_concurrent_calls: true },
};
