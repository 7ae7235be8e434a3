import type { Finding } from "../../../../document/graph/mod.ts";
import { make } from "../common/mod.ts";

/** A finding in the list beside the picture. */
export function findingItem({ severity, code, message, hint }: Finding): HTMLElement {
  return make(
    "li",
    { class: severity },
    make("strong", {}, `${severity}[${code}]`),
    make("p", {}, message),
    hint && make("p", { class: "quiet" }, hint),
  );
}
