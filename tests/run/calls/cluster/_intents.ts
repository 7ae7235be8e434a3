import type { Call } from "../../../../mod.ts";

/** First lines of callers, by intent. The last ones are in German. */
export const INTENTS: Readonly<Record<string, readonly string[]>> = {
  cancel: [
    "Hi, I need to cancel my appointment on Thursday.",
    "I'd like to cancel the appointment I made for next week.",
    "Can you cancel my appointment please? Something came up.",
    "I have to cancel an appointment with Doctor Weber.",
    "Please cancel my booking for tomorrow, I can't make the appointment.",
    "My son is sick, so we must cancel his appointment.",
    "I want to cancel tomorrow's appointment.",
    "Cancellation of my appointment on the fifth, please.",
  ],
  invoice: [
    "I have a question about my invoice.",
    "There's a mistake on the invoice you sent me.",
    "Why is my invoice so high this month?",
    "I got two invoices for the same visit.",
    "I was charged twice on my last bill.",
    "Could you explain the charge on my bill from March?",
    "My invoice shows a wrong amount.",
    "I haven't received the invoice for last month.",
  ],
  hours: [
    "What are your opening hours on Saturday?",
    "Are you open this Sunday?",
    "Could you tell me your opening hours?",
    "Until when are you open today?",
    "Hello, I just wanted to know the opening hours of the practice.",
    "Is the practice open on public holidays?",
    "When do you open in the morning?",
  ],
  prescription: [
    "I need a refill of my prescription.",
    "Can the doctor renew my prescription for blood pressure tablets?",
    "I'm calling to get a new prescription.",
    "My prescription has run out, can I get a refill?",
    "Could you send the prescription to the pharmacy?",
    "I lost my prescription and need another one.",
    "Is my prescription ready to be picked up?",
    "I want to renew a prescription.",
  ],
  results: [
    "Are my test results in yet?",
    "I'm calling about the results of my blood test.",
    "When will the lab results be available?",
    "I want to know my test results from last Monday.",
    "Has the lab sent the results of my daughter's test?",
    "Could I get the blood test results by email?",
  ],
  parking: [
    "Is there parking near the building?",
    "Where can I park my car when I come?",
    "Do you have a parking garage?",
    "How much does parking cost?",
  ],
  "absagen (German)": [
    "Ich muss meinen Termin am Donnerstag absagen.",
    "Guten Tag, ich möchte den Termin morgen absagen.",
    "Können Sie bitte meinen Termin absagen? Ich bin krank.",
    "Ich würde gern einen Termin bei Doktor Weber absagen.",
    "Meine Tochter ist krank, wir müssen ihren Termin absagen.",
  ],
  "Rechnung (German)": [
    "Ich habe eine Frage zu meiner Rechnung.",
    "Auf der Rechnung ist ein Fehler.",
    "Warum ist meine Rechnung so hoch?",
    "Ich habe die Rechnung zweimal bekommen.",
    "Die Rechnungen vom März sind nicht angekommen.",
  ],
};

/** A call in which the agent greets and the caller says these lines. */
export function call(id: string, ...lines: readonly string[]): Required<Pick<Call, "id" | "transcript">> {
  const line = (role: "user" | "assistant", content: string) => ({
    ...{ role, content, node_id: "", timestamp: "2026-01-02T03:04:05.678Z", metadata: {} },
  });
  return { id, transcript: [line("assistant", "How can I help you?"), ...lines.map((text) => line("user", text))] };
}

/** One call for each line, and what its caller wanted. */
export function knownCalls(): readonly {
  readonly call: Required<Pick<Call, "id" | "transcript">>;
  readonly intent: string;
}[] {
  return Object.entries(INTENTS).flatMap(([intent, lines]) =>
    lines.map((text, index) => ({ intent, call: call(`${intent}-${index}`, text) })),
  );
}

/**
 * Agreement of two groupings, corrected for chance: 1 for equal groups, about 0 for random ones.
 *
 * @see https://en.wikipedia.org/wiki/Rand_index#Adjusted_Rand_index
 */
export function adjustedRand(one: readonly string[], two: readonly string[]): number {
  const pairs = (count: number) => (count * (count - 1)) / 2;
  const counted = (labels: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + pairs(count), 0);
  };
  const both = counted(one.map((label, index) => JSON.stringify([label, two[index]])));
  const [first, second] = [counted(one), counted(two)];
  const byChance = (first * second) / pairs(one.length);
  return (both - byChance) / ((first + second) / 2 - byChance);
}
