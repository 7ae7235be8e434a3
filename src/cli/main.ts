#!/usr/bin/env node
import process from "node:process";
import { runCli } from "./run_cli.ts";
import { processTerminal } from "./terminal.ts";

process.exitCode = await runCli(process.argv.slice(2), processTerminal());
