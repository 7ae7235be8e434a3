import type { Vapi } from "@vapi-ai/server-sdk";
import {
  anything,
  flag,
  kindOf,
  kinds,
  list,
  matching,
  number,
  oneOf,
  type Rule,
  record,
  shape,
  text,
  whole,
} from "./fit.ts";
import { jsonSchema } from "./schema.ts";

/** How a server is asked again. */
export const backoffPlan = shape<Vapi.BackoffPlan>(
  {
    type: anything,
    maxRetries: number(0, 10),
    baseDelaySeconds: number(0, 10),
    excludedStatusCodes: anything,
  },
  ["type", "maxRetries", "baseDelaySeconds"],
);

/** `server` of an assistant or a tool. */
export const server = shape<Vapi.Server>({
  timeoutSeconds: number(1, 300),
  credentialId: text(),
  staticIpAddressesEnabled: flag,
  encryptedPaths: list(text()),
  url: text(),
  headers: record,
  backoffPlan: backoffPlan,
});

const formatPlan = shape<Vapi.FormatPlan>({
  enabled: flag,
  numberToDigitsCutoff: number(0),
  replacements: list(record),
  formattersEnabled: list(
    oneOf(
      "markdown asterisk quote dash newline colon acronym dollarAmount email date time distance unit",
      "percentage phoneNumber number stripAsterisk",
    ),
  ),
});

/** `chunkPlan` of a voice. */
export const chunkPlan = shape<Vapi.ChunkPlan>({
  enabled: flag,
  minCharacters: number(1, 80),
  punctuationBoundaries: list(oneOf("\u3002 \uff0c . ! ? ; ) \u060c \u06d4 \u0964 \u0965 | || , :")),
  formatPlan: formatPlan,
});

const variableExtractionAlias = shape<Vapi.VariableExtractionAlias>(
  {
    key: matching(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/, "a letter, then up to 39 letters, digits and underscores"),
    value: text(10000),
  },
  ["key", "value"],
);

/** `variableExtractionPlan` of a tool or a handoff. */
export const variableExtractionPlan = shape<Vapi.VariableExtractionPlan>({
  schema: jsonSchema,
  aliases: list(variableExtractionAlias),
});

type Condition = Vapi.ToolRejectionPlanConditionsItem;

/** A condition without one of its parts would veto other calls than it was written for. */
const condition: Rule<never> = (value, at, faults) => {
  const rules = kinds<Condition, "type">("type", {
    regex: shape<Vapi.RegexCondition>({ regex: text(), target: record, negate: flag }, ["regex"]),
    liquid: shape<Vapi.LiquidCondition>({ liquid: text() }, ["liquid"]),
    group: shape<Vapi.GroupCondition>({ operator: oneOf("AND OR"), conditions: list<never>(condition) }, [
      "operator",
      "conditions",
    ]),
  });
  return anything(whole(kindOf(rules))(value, at, faults), at, faults);
};

/** `rejectionPlan` of a tool. */
export const toolRejectionPlan = shape<Vapi.ToolRejectionPlan>({
  conditions: list<never>(condition),
});
