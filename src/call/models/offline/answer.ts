import type { LanguageModelV3CallOptions, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import * as v from "valibot";
import { ModelError } from "../../../base/errors.ts";
import { type EmbeddedCall, generated } from "../embedded.ts";
import {
  argumentsSignature,
  auditSignature,
  callerSignature,
  diagnosisSignature,
  extractSignature,
  flowSignature,
  fusedSignature,
  judgeSignature,
  repairSignature,
  respondInput,
  transitionSignature,
} from "../signatures/mod.ts";
import { fillArguments } from "./arguments.ts";
import { auditByWords } from "./audit.ts";
import { playCaller } from "./caller.ts";
import { diagnoseByRule } from "./diagnosis.ts";
import { extractVariables } from "./extract.ts";
import { judgeFlowByWords } from "./flow.ts";
import { decideAndReply } from "./fused.ts";
import { judgeByWords } from "./judge.ts";
import { repairByRule } from "./repair.ts";
import { composeReply } from "./respond.ts";
import { neededTool, toolNews } from "./tools.ts";
import { pickTransition } from "./transition.ts";

/** Answers a call with the rules for its signature. */
export function answerByRule(call: EmbeddedCall, options: LanguageModelV3CallOptions): LanguageModelV3GenerateResult {
  switch (call.signature) {
    case "transition":
      return json(pickTransition(v.parse(transitionSignature.input, call.input)));
    case "fused":
      return json(decideAndReply(v.parse(fusedSignature.input, call.input)));
    case "extract":
      return json(extractVariables(v.parse(extractSignature.input, call.input)));
    case "arguments":
      return json(fillArguments(v.parse(argumentsSignature.input, call.input)));
    case "caller":
      return json(playCaller(v.parse(callerSignature.input, call.input)));
    case "audit":
      return json(auditByWords(v.parse(auditSignature.input, call.input)));
    case "judge":
      return json(judgeByWords(v.parse(judgeSignature.input, call.input)));
    case "flow":
      return json(judgeFlowByWords(v.parse(flowSignature.input, call.input)));
    case "diagnosis":
      return json(diagnoseByRule(v.parse(diagnosisSignature.input, call.input)));
    case "repair":
      return json(repairByRule(v.parse(repairSignature.input, call.input)));
    case "respond": {
      const input = v.parse(respondInput, call.input);
      const tool = neededTool(input, options);
      if (tool) return generated("", [tool], () => `call_${options.prompt.length}`);
      return generated([toolNews(options), composeReply(input)].filter(Boolean).join(" "));
    }
    default:
      throw new ModelError(`Cannot answer "${call.signature}": the offline model has no rules for it`, {
        code: "model-failed",
        path: [call.signature],
        hint: "Pass a real model with --model",
      });
  }
}

function json(answer: unknown): LanguageModelV3GenerateResult {
  return generated(JSON.stringify(answer));
}
