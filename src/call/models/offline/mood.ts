const YES =
  /^(?:(?:oh|well|um|ok|okay|great|thanks?)[,.!\s]+)*(?:yes|yeah|yep|yup|sure|correct|exactly|right|absolutely|definitely|of course|certainly|please do|that['’]s (?:right|correct|fine)|that is (?:right|correct|fine)|sounds good|go ahead|ok(?:ay)?|all right|alright|i do(?! not)|i am(?! not)|i (?:can |do |hereby )?(?:confirm|agree|accept|approve|consent)|confirmed|agreed|accepted|(?:that |it )?works for me|that works|perfect)\b/i;
const NO =
  /^(?:(?:oh|well|um|ok|okay|thanks?)[,.!\s]+)*(?:no|nope|nah|not really|not at all|negative|never|i don['’]t|i do not|i['’]m not|that['’]s (?:wrong|not)|incorrect)\b/i;
const DONE =
  /\b(?:good ?bye|bye|that(?:['’]s| is| was| will be) (?:all|it|everything)|nothing (?:else|more)|no(?:thing)?,? thank(?:s| you)|i['’]?a?m (?:done|finished)|all set|have a (?:good|nice))\b/i;
const LOST =
  /^(?:(?:sorry|pardon|excuse me|what|huh|hm+)\s*[?.!]*$|.*\b(?:repeat|say that again|hold on|one (?:moment|second)|wait a|did(?:n['’]t| not) (?:catch|understand|hear)|don['’]t (?:know|understand|remember|have)|do not (?:know|understand|remember|have)|not sure)\b)/i;

/** The mood of a reply. */
export interface Mood {
  readonly yes: boolean;
  readonly no: boolean;
  /** The caller has nothing more to say, or says goodbye. */
  readonly done: boolean;
  /** The caller did not follow, needs a moment or does not know. */
  readonly lost: boolean;
}

/** Detects the mood of a reply from its words. */
export function moodOf(reply: string): Mood {
  const text = reply.trim();
  return { yes: YES.test(text), no: NO.test(text), done: DONE.test(text), lost: LOST.test(text) };
}
