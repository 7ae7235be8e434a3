/**
 * Words that callers use interchangeably on the phone. Kept small on purpose: the offline model handles plain cases
 * only.
 */
export const SYNONYMS: readonly (readonly string[])[] = [
  ["manager", "supervisor", "boss"],
  ["human", "person", "representative", "operator", "someone", "people"],
  ["book", "schedule", "reserve", "reservation"],
  ["reschedule", "move", "postpone", "rebook"],
  ["cancel", "cancellation"],
  ["return", "refund", "reimburse"],
  ["broken", "damaged", "defective", "faulty", "cracked"],
  ["package", "parcel", "delivery", "shipment"],
  ["arrive", "arrival", "come"],
  ["bill", "invoice", "billing", "charge"],
  ["pay", "payment"],
  ["buy", "purchase"],
  ["price", "cost", "fee"],
  ["problem", "issue", "trouble"],
  ["repair", "fix"],
  ["change", "update", "edit", "modify"],
  ["continue", "resume", "proceed", "ready"],
  ["bye", "goodbye"],
  ["finish", "finished", "end"],
  ["emergency", "urgent"],
  ["phone", "telephone", "mobile"],
  ["mail", "email"],
  ["doctor", "physician"],
  ["order", "purchase"],
];
