import * as v from "valibot";
import {
  CallDraft,
  type CallReader,
  callFrom,
  clientFor,
  numberAt,
  textAt,
} from "../../../../platforms/reading/mod.ts";
import { ID } from "../../../../src/base/http/mod.ts";
import { records } from "../../../../src/base/values/mod.ts";
import { ACME_TRAITS } from "../traits/mod.ts";

const CALL = v.looseObject({ acme_call: ID, began: v.number() });

/** Reads calls of Acme: `{ acme_call, agent, began, seconds, lines: [{ who, says, at, step }] }`. */
export const acmeCallReader: CallReader = {
  isCall: (record) => typeof record.acme_call === "string",
  isEvent: () => false,
  callOf: (event) => event,
  read: (record, place) => {
    const startMs = numberAt(record, "began");
    const draft = new CallDraft(startMs ?? 0);
    for (const line of records(record.lines)) {
      draft.arrive(textAt(line, "step") ?? "", "the caller spoke");
      draft.say(line.who === "agent" ? "assistant" : "user", textAt(line, "says") ?? "", numberAt(line, "at"));
    }
    return callFrom(draft, {
      format: "acme",
      place,
      callId: textAt(record, "acme_call"),
      agentId: textAt(record, "agent"),
      startMs,
      durationMs: (numberAt(record, "seconds") ?? 0) * 1_000,
      reason: "hung up",
      endReason: "caller_ended",
      startVariables: {},
      variables: {},
      latency: [],
      kept: {},
    });
  },
  list: (options) => {
    const client = clientFor({ ...ACME_TRAITS.connection, platform: ACME_TRAITS.title }, options);
    return {
      read: async (id) => await client.send({ method: "GET", path: `/calls/${id}`, about: "a call", answer: CALL }),
      pages: async function* ({ from, to }) {
        const answer = v.array(CALL);
        const calls = await client.send({ method: "GET", path: "/calls", query: { from, to }, about: "calls", answer });
        const listed = calls.map((call) => ({ id: call.acme_call, at: call.began, isOpen: false, call }));
        yield { calls: listed, read: { from, to } };
      },
    };
  },
};
