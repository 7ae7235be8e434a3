import type { AgentNode, Metadata } from "../../../../src/graph/mod.ts";
import { settledTarget, type TransferTarget, transferTarget } from "../../../transfer_target.ts";

/** Destination of a transfer in Vapi's JSON. */
export type Destination =
  | { readonly number: string; readonly extension?: string; readonly numberE164CheckEnabled?: boolean }
  | { readonly sipUri: string };

const LONGEST_EXTENSION = 10;

/** The destination of a transfer node. */
export function destinationOf(node: AgentNode): Destination | undefined {
  return written(transferTarget(node, "vapi"));
}

/** The destination of a transfer tool. */
export function toolDestination({ metadata }: { readonly metadata?: Metadata | null }): Destination | undefined {
  return written(settledTarget(metadata, "vapi"));
}

function written(target: TransferTarget | undefined): Destination | undefined {
  if (!target || "sipUri" in target) return target;
  const { number, extension = "" } = target;
  return {
    number,
    ...(extension !== "" && extension.length <= LONGEST_EXTENSION ? { extension } : {}),
    ...(/^\+[1-9]\d{1,14}$/.test(number) ? {} : { numberE164CheckEnabled: false }),
  };
}
