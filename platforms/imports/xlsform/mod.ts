import type { Format } from "../../platform.ts";
import { readForm } from "./document.ts";
import { importForm } from "./import.ts";

/** Forms in a workbook, which are only read. */
export const xlsForm: Format<"xlsform"> = {
  name: "xlsform",
  title: "XLSForm",
  detect: (document) => (readForm(document) ? 1 : 0),
  importDocument: importForm,
};
