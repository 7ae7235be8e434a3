import process from "node:process";
import { createPseudonymizer } from "../../api/calls.ts";
import { type Figure, sized } from "../figure.ts";
import { MEASURED, measure } from "./measure.ts";
import { SENTENCES } from "./sentences.ts";

const [ITEMS, ORDINARY] = [sized(500, 40), sized(1000, 60)];
/** At most this share of a kind is left, and of ordinary sentences changes. */
const [MOST_LEFT, MOST_TOUCHED] = [5, 1];
/** `REDACTION_SEED=7 npm run bench -- redaction` makes other calls. */
const SEED = Number(process.env.REDACTION_SEED ?? 1);

/** Share of personal items that redaction leaves, and of ordinary sentences that it changes, by locale and kind. */
export async function* bench(): AsyncIterable<Figure> {
  const pseudonymizer = await createPseudonymizer({ key: "a key for the bench" });
  const size = { items: ITEMS, ordinary: ORDINARY, seed: SEED };
  for (const locale of MEASURED) {
    const { found, touched, left, changed } = measure(locale, pseudonymizer, SENTENCES, size);
    for (const [kind, share] of Object.entries(found)) {
      const [sample] = left.filter((item) => item.kind === kind);
      yield {
        name: `redaction_${locale}_${kind}_left`,
        value: Number((100 - share).toFixed(1)),
        unit: "%",
        against: sample ? `such as ${sample.text}` : `${ITEMS} items`,
        bound: MOST_LEFT,
        counted: true,
      };
    }
    yield {
      name: `redaction_${locale}_ordinary_touched`,
      value: Number(touched.toFixed(1)),
      unit: "%",
      against: changed[0] ?? `${ORDINARY} sentences`,
      bound: MOST_TOUCHED,
      counted: true,
    };
  }
}
