export { LIST_KEYS } from "./list_scanner.ts";
export { type Piece, splitRecords } from "./split_records.ts";
