export {
  proposalsAcceptCommand,
  proposalsListCommand,
  proposalsRejectCommand,
  proposalsShowCommand,
} from "./proposals.ts";
