export { formatFitness } from "./format_fitness.ts";
export * from "./public.ts";
