export * from "./public.ts";
