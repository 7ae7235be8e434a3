import type { AuditFinding } from "../../../document/transcript/mod.ts";
import { auditSignature, type CallOptions, callModel, type Model } from "../../models/mod.ts";
import { findEvidence } from "../evidence.ts";
import { foldText } from "../fold.ts";
import { type AuditedCall, messageText } from "./audited_call.ts";

/**
 * Asks a model whether the simulated caller invented facts, or hung up before its goal was decided.
 *
 * A fact counts only if the caller said the quoted words, and if it does not occur verbatim in what the caller was
 * given or what the agent or a tool said. An early end counts only if it was the caller who hung up.
 *
 * @throws {ModelError} When the model fails or its answer cannot be used.
 */
export async function auditCaller(
  call: AuditedCall,
  { model, ...options }: CallOptions & { readonly model: Model },
): Promise<readonly AuditFinding[]> {
  const { persona, given, transcript, endReason } = call;
  const heard = transcript.flatMap((message) =>
    message.role === "system" ? [] : [{ role: message.role, content: messageText(message) }],
  );
  const answer = await callModel(
    model,
    auditSignature,
    {
      persona: [persona, ...given].filter((text) => text.trim() !== "").join("\n"),
      conversation_history: heard,
    },
    options,
  );
  const others = heard.filter(({ role }) => role !== "user").map(({ content }) => content);
  const said = foldText([persona, ...given, ...others].join("\n"));
  const invented = answer.invented_facts
    .filter(({ quote, fact }) => {
      const isSaid = findEvidence([{ role: "user", quote }], transcript) !== undefined;
      return isSaid && !said.includes(foldText(fact)); // every text includes an empty fact
    })
    .map(
      ({ quote, fact }): AuditFinding => ({
        kind: "invented-fact",
        fact,
        quote,
        reason: `The caller said "${quote}"; neither its persona nor the agent or a tool gave "${fact}"`,
      }),
    );
  if (endReason !== "caller_ended" || answer.goal_decided) return invented;
  const last = transcript.findLast(({ role }) => role === "user")?.content ?? "";
  const reason = `The caller hung up before its goal was decided (${answer.goal}): ${answer.reasoning}`;
  return [...invented, { kind: "ended-early", quote: last, reason }];
}
