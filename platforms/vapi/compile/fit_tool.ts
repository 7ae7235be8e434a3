import type { Vapi } from "@vapi-ai/server-sdk";
import { anything, flag, kindOf, kinds, list, matching, number, oneOf, type Rule, record, shape, text } from "./fit.ts";
import { backoffPlan, server, variableExtractionPlan } from "./fit_common.ts";
import { handoffDestinations, SHARED, transferDestinations } from "./fit_tool_parts.ts";

type Tool = Vapi.AssistantOverridesToolsAppendItem;

const toolParameter = shape<Vapi.ToolParameter>(
  {
    key: text(),
    value: anything,
  },
  ["key", "value"],
);

const codeToolEnvironmentVariable = shape<Vapi.CodeToolEnvironmentVariable>(
  {
    name: matching(/^[A-Z][A-Z0-9_]*$/, "capitals, digits and underscores"),
    value: text(10000),
  },
  ["name", "value"],
);

const mcpToolMessages = shape<Vapi.McpToolMessages>(
  {
    name: text(),
    messages: list(record),
  },
  ["name"],
);

const mcpToolMetadata = shape<Vapi.McpToolMetadata>({
  protocol: oneOf("sse shttp"),
});

const knowledgeBase = shape<Vapi.KnowledgeBase>(
  {
    name: text(),
    provider: oneOf("google"),
    model: anything,
    description: text(),
    fileIds: list(text()),
  },
  ["name", "provider", "description", "fileIds"],
);

const TOOLS = kinds<Tool, "type">("type", {
  apiRequest: shape<Vapi.CreateApiRequestToolDto>(
    {
      ...SHARED,
      name: text(40),
      method: oneOf("POST GET PUT PATCH DELETE"),
      timeoutSeconds: number(1, 300),
      credentialId: text(),
      encryptedPaths: list(text()),
      parameters: list(toolParameter),
      description: text(),
      url: text(),
      body: record,
      headers: record,
      backoffPlan: backoffPlan,
      variableExtractionPlan: variableExtractionPlan,
    },
    ["method", "url"],
  ),
  bash: shape<Vapi.CreateBashToolDto>(
    {
      ...SHARED,
      subType: oneOf("bash_20241022"),
      server: server,
      name: oneOf("bash"),
    },
    ["subType", "name"],
  ),
  code: shape<Vapi.CreateCodeToolDto>(
    {
      ...SHARED,
      async: flag,
      server: server,
      code: text(50000),
      environmentVariables: list(codeToolEnvironmentVariable),
      timeoutSeconds: number(1, 30),
      credentialId: text(),
      variableExtractionPlan: variableExtractionPlan,
      function: record,
    },
    ["code"],
  ),
  computer: shape<Vapi.CreateComputerToolDto>(
    {
      ...SHARED,
      subType: oneOf("computer_20241022"),
      server: server,
      name: oneOf("computer"),
      displayWidthPx: number(),
      displayHeightPx: number(),
      displayNumber: number(),
    },
    ["subType", "name", "displayWidthPx", "displayHeightPx"],
  ),
  dtmf: shape<Vapi.CreateDtmfToolDto>({
    ...SHARED,
    sipInfoDtmfEnabled: flag,
  }),
  endCall: shape<Vapi.CreateEndCallToolDto>({
    ...SHARED,
  }),
  function: shape<Vapi.CreateFunctionToolDto>({
    ...SHARED,
    async: flag,
    server: server,
    variableExtractionPlan: variableExtractionPlan,
    parameters: list(toolParameter),
    function: record,
  }),
  "gohighlevel.calendar.availability.check": shape<Vapi.CreateGoHighLevelCalendarAvailabilityToolDto>({
    ...SHARED,
  }),
  "gohighlevel.calendar.event.create": shape<Vapi.CreateGoHighLevelCalendarEventCreateToolDto>({
    ...SHARED,
  }),
  "gohighlevel.contact.create": shape<Vapi.CreateGoHighLevelContactCreateToolDto>({
    ...SHARED,
  }),
  "gohighlevel.contact.get": shape<Vapi.CreateGoHighLevelContactGetToolDto>({
    ...SHARED,
  }),
  "google.calendar.availability.check": shape<Vapi.CreateGoogleCalendarCheckAvailabilityToolDto>({
    ...SHARED,
  }),
  "google.calendar.event.create": shape<Vapi.CreateGoogleCalendarCreateEventToolDto>({
    ...SHARED,
  }),
  "google.sheets.row.append": shape<Vapi.CreateGoogleSheetsRowAppendToolDto>({
    ...SHARED,
  }),
  handoff: shape<Vapi.CreateHandoffToolDto>({
    ...SHARED,
    defaultResult: text(),
    destinations: handoffDestinations,
    function: record,
  }),
  mcp: shape<Vapi.CreateMcpToolDto>({
    ...SHARED,
    server: server,
    toolMessages: list(mcpToolMessages),
    metadata: mcpToolMetadata,
  }),
  query: shape<Vapi.CreateQueryToolDto>({
    ...SHARED,
    knowledgeBases: list(knowledgeBase),
  }),
  "slack.message.send": shape<Vapi.CreateSlackSendMessageToolDto>({
    ...SHARED,
  }),
  sms: shape<Vapi.CreateSmsToolDto>({
    ...SHARED,
  }),
  textEditor: shape<Vapi.CreateTextEditorToolDto>(
    {
      ...SHARED,
      subType: oneOf("text_editor_20241022"),
      server: server,
      name: oneOf("str_replace_editor"),
    },
    ["subType", "name"],
  ),
  transferCall: shape<Vapi.CreateTransferCallToolDto>({
    ...SHARED,
    destinations: transferDestinations,
  }),
  sipRequest: shape<Vapi.CreateSipRequestToolDto>(
    {
      ...SHARED,
      verb: oneOf("INFO MESSAGE NOTIFY"),
      headers: record,
      body: anything,
    },
    ["verb"],
  ),
  voicemail: shape<Vapi.CreateVoicemailToolDto>({
    ...SHARED,
    beepDetectionEnabled: flag,
  }),
});

/** Whether today's API has a kind of tool. */
export const isToolKind = (type: unknown) => typeof type === "string" && TOOLS.rules.has(type);

/** Holds a tool to what Vapi's types know of its kind (SDK 2.0.1, `Create…ToolDTO`). */
export const fitToolSettings: Rule = kindOf(TOOLS);
