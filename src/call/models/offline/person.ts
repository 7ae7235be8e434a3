/** Replaces whole words by a table, each once, and keeps initial capitals. */
function rewrite(text: string, table: readonly (readonly [string, string])[]): string {
  const replacements = new Map(table);
  const words = new RegExp(`\\b(?:${table.map(([word]) => word).join("|")})\\b`, "gi");
  return text.replace(words, (word) => {
    const replacement = replacements.get(word.toLowerCase()) ?? word;
    return /^\p{Lu}/u.test(word) && word !== "I" ? capitalised(replacement) : replacement;
  });
}

/** Rewrites a prompt's words as the agent says them: "how you can help them" becomes "how I can help you". */
export function asSpokenByAgent(prompt: string): string {
  return rewrite(prompt, [
    ["the caller's", "your"],
    ["the customer's", "your"],
    ["the user's", "your"],
    ["the client's", "your"],
    ["the guest's", "your"],
    ["the patient's", "your"],
    ["the caller is", "you are"],
    ["the customer is", "you are"],
    ["the user is", "you are"],
    ["the caller has", "you have"],
    ["the caller wants", "you want"],
    ["the customer wants", "you want"],
    ["the user wants", "you want"],
    ["the caller", "you"],
    ["the customer", "you"],
    ["the user", "you"],
    ["the client", "you"],
    ["the guest", "you"],
    ["the patient", "you"],
    ["they are", "you are"],
    ["they", "you"],
    ["them", "you"],
    ["their", "your"],
    ["you are", "I am"],
    ["you", "I"],
    ["your", "our"],
  ]);
}

/** Rewrites a persona's words as the caller says them: "You want your money back" becomes "I want my money back". */
export function asSpokenByCaller(persona: string): string {
  return rewrite(persona, [
    ["you are", "I am"],
    ["you're", "I'm"],
    ["you've", "I've"],
    ["you", "I"],
    ["your", "my"],
    ["yours", "mine"],
    ["yourself", "myself"],
    ["the caller's", "my"],
    ["the caller is", "I am"],
    ["the caller has", "I have"],
    ["the caller wants", "I want"],
    ["the caller needs", "I need"],
    ["the caller", "I"],
  ]).replace(/\b(for|to|with|about|call|calls|tell|tells|give|gives|help|helps) I\b/g, "$1 me");
}

/** Capitalises the first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
