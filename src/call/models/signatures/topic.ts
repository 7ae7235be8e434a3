import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";

const LONGEST = 60;

const topicInput = v.object({
  requests: v.pipe(v.array(v.string()), v.description("What the callers of one group said they want, a caller each")),
  words: v.pipe(v.array(v.string()), v.description("Words that this group uses more than others")),
});

const output = v.object({
  name: v.pipe(v.string(), v.description("What these callers want, in two to six words, without names or numbers")),
});

/** Input of the topic call. */
export type TopicInput = v.InferOutput<typeof topicInput>;
/** Output of the topic call. */
export type TopicOutput = v.InferOutput<typeof output>;

/** Names a group of calls by what their callers wanted. */
export const topicSignature: Signature<typeof topicInput, TopicOutput> = {
  name: "topic",
  instructions:
    'You name a group of phone calls by what the callers wanted. Write what is common to them, as a person would list it: "Cancel a reservation", "Question about an invoice". Use English. Leave out what only some of them said.',
  input: topicInput,
  output: () => {
    const contract = contractOf(output);
    return {
      ...contract,
      read: (answer) => {
        const found = contract.read(answer);
        if (!("output" in found)) return found;
        const { length } = found.output.name.trim();
        return length > 0 && length <= LONGEST ? found : { problem: `name: it needs 1 to ${LONGEST} characters` };
      },
    };
  },
};
