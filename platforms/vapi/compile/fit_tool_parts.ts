import type { Vapi } from "@vapi-ai/server-sdk";
import { anything, beyondSdk, flag, kindOf, kinds, list, number, oneOf, record, shape, text } from "./fit.ts";
import { server, toolRejectionPlan, variableExtractionPlan } from "./fit_common.ts";
import { ISO_639_LANGUAGES } from "./languages.ts";

type Message = Vapi.CreateFunctionToolDtoMessagesItem;
type Transfer = Vapi.CreateTransferCallToolDtoDestinationsItem;
type Handoff = Vapi.CreateHandoffToolDtoDestinationsItem;

/** What every message of a tool has. */
const WORDS = {
  contents: list(
    shape<Vapi.TextContent>({ type: oneOf("text"), text: text(), language: ISO_639_LANGUAGES }, [
      "type",
      "text",
      "language",
    ]),
  ),
  content: text(1000),
  conditions: list(record),
};
/** What is said when a tool has run, whichever way. */
const RESULT = { ...WORDS, role: oneOf("assistant system"), endCallAfterSpokenEnabled: flag };

const MESSAGES = kinds<Message, "type">("type", {
  "request-start": shape<Vapi.ToolMessageStart>({ ...WORDS, blocking: flag }),
  "request-complete": shape<Vapi.ToolMessageComplete>(RESULT),
  "request-failed": shape<Vapi.ToolMessageFailed>(RESULT),
  "request-response-delayed": shape<Vapi.ToolMessageDelayed>({ ...WORDS, timingMilliseconds: number(100, 120000) }),
});

/** What every tool has. */
export const SHARED = { messages: list<never>(kindOf(MESSAGES)), rejectionPlan: toolRejectionPlan };

const transferPlan = shape<Vapi.TransferPlan>(
  {
    mode: oneOf(
      "blind-transfer blind-transfer-add-summary-to-sip-header warm-transfer-say-message",
      "warm-transfer-say-summary warm-transfer-twiml warm-transfer-wait-for-operator-to-speak-first-and-then-say-message",
      "warm-transfer-wait-for-operator-to-speak-first-and-then-say-summary warm-transfer-experimental",
    ),
    message: anything,
    timeout: number(1, 600),
    sipVerb: anything,
    dialTimeout: number(1, 600),
    holdAudioUrl: text(),
    transferCompleteAudioUrl: text(),
    contextEngineeringPlan: record,
    twiml: text(4096),
    summaryPlan: record,
    sipHeadersInReferToEnabled: flag,
    fallbackPlan: record,
  },
  ["mode"],
);

const TRANSFERS = kinds<Transfer, "type">(
  "type",
  {
    assistant: shape<Vapi.TransferDestinationAssistant>(
      {
        message: anything,
        transferMode: beyondSdk(
          oneOf(
            "rolling-history swap-system-message-in-history delete-history",
            "swap-system-message-in-history-and-remove-transfer-tool-messages",
          ),
        ),
        assistantName: text(),
        description: text(),
      },
      ["assistantName"],
    ),
    number: shape<Vapi.TransferDestinationNumber>(
      {
        message: anything,
        numberE164CheckEnabled: flag,
        number: text(40, 3),
        extension: text(10, 1),
        callerId: text(40),
        transferPlan,
        description: text(),
      },
      ["number"],
    ),
    sip: shape<Vapi.TransferDestinationSip>(
      {
        message: anything,
        sipUri: text(),
        callerId: text(40),
        transferPlan,
        sipHeaders: record,
        description: text(),
      },
      ["sipUri"],
    ),
  },
  { phone: "number", phonenumber: "number", pstn: "number", sipuri: "sip" },
);

const HANDOFFS = kinds<Handoff, "type">("type", {
  assistant: shape<Vapi.HandoffDestinationAssistant>({
    contextEngineeringPlan: record,
    assistantName: text(),
    assistantId: text(),
    assistant: record,
    variableExtractionPlan,
    assistantOverrides: record,
    description: text(),
  }),
  dynamic: shape<Vapi.HandoffDestinationDynamic>({ server, description: text() }),
  squad: shape<Vapi.HandoffDestinationSquad>({
    contextEngineeringPlan: record,
    squadId: text(),
    squad: record,
    entryAssistantName: text(),
    variableExtractionPlan,
    squadOverrides: record,
    description: text(),
  }),
});

/** Where a `transferCall` tool leads. */
export const transferDestinations = list<never>(kindOf(TRANSFERS));
/** Where a handoff tool leads. */
export const handoffDestinations = list<never>(kindOf(HANDOFFS));
