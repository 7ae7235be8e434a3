/** The key of an assistant's `metadata` under which it says which part of a graph it stands for; of a node, where it leads. */
export const HINT_KEY = "callweave";

/** The environment variable of a code tool that holds the address of the request it makes. */
export const URL_VARIABLE = "URL";
