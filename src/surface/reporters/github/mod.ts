export { formatGithubAnnotations } from "./annotations.ts";
export { formatGithubSummary } from "./summary.ts";
