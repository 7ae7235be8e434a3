import type { DocumentOption } from "../document_fields.ts";
import type { LoosePlatformOptions } from "../platform_fields.ts";
import type { AnyTool } from "../tools/mod.ts";
import type { Variables } from "../variables.ts";

/** A flow's name and options, without type checks. */
export interface FlowHead extends LoosePlatformOptions, DocumentOption {
  readonly name: string;
  readonly prompt?: string;
  readonly beginMessage?: string;
  readonly startSpeaker?: "agent" | "user";
  readonly start?: string;
  readonly model?: string;
  readonly language?: string;
  readonly voice?: object;
  readonly variables?: Variables;
  readonly snippets?: { readonly [name: string]: string };
  readonly tools?: readonly AnyTool[];
}
