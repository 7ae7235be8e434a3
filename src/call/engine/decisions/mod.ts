export { askForTransition } from "./ask_transition.ts";
export { chooseAfterHearing } from "./choose.ts";
export { type Because, recordNoEquation, recordNoPick } from "./decision_record.ts";
export { moveTo } from "./move.ts";
export { ownOffers, pickedOffer } from "./offers.ts";
export { holdsNoted, wayOf } from "./taken_ways.ts";
