import { amazonConnect } from "./amazon_connect/mod.ts";
import { dialogflowCx } from "./dialogflow_cx/mod.ts";
import { twilioStudio } from "./twilio_studio/mod.ts";
import { xlsForm } from "./xlsform/mod.ts";

/** Formats of other tools, which are read and never written. */
export const IMPORTS = [twilioStudio, amazonConnect, dialogflowCx, xlsForm] as const;
