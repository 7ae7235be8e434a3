import type { JsonObject } from "../../../src/base/values/mod.ts";
import type { NumberTarget, PhoneNumber, PhoneNumbers } from "../../deploying/mod.ts";
import { listVapi, vapiShape } from "./requests.ts";

const TARGETS = [
  { kind: "squad", key: "squadId" },
  { kind: "assistant", key: "assistantId" },
] as const;

/** Phone numbers of Vapi: one assistant or one squad. */
export const vapiNumbers: PhoneNumbers = {
  list: async (client) => (await listVapi(client, "phone-number")).map(asNumber),
  point: async (client, { id, number }, target) => {
    // if both are set, the platform uses only one of them
    const body = Object.fromEntries(TARGETS.map(({ kind, key }) => [key, kind === target.kind ? target.id : null]));
    const path = `/phone-number/${encodeURIComponent(id)}`;
    const answer = vapiShape("phone-number", id);
    const request = { method: "PATCH", path, body, about: `phone number ${number}`, answer } as const;
    const now = asNumber(await client.send(request));
    if (now.targets.length === 1 && now.targets[0]?.id === target.id) return now;
    throw client.unusable(request, `does not name ${target.kind} ${target.id} alone`);
  },
};

function asNumber(answer: JsonObject): PhoneNumber {
  const targets = TARGETS.flatMap(({ kind, key }): readonly NumberTarget[] => {
    const id = answer[key];
    return typeof id === "string" ? [{ kind, id }] : [];
  });
  const id = String(answer.id);
  return { id, number: String(answer.number ?? answer.sipUri ?? id), targets };
}
