import { readFileSync } from 'node:fs';
import { describeFault } from '../tools/client/errors.ts';
import { UsageError } from '../tools/commandLine.ts';
import { backtest } from '../tools/evaluation/backtest.ts';
import { readCalls } from '../tools/evaluation/calls.ts';
import { type Findings, findingsOf } from '../tools/evaluation/findings.ts';
import { type Options, readOptions, USAGE } from '../tools/evaluation/options.ts';
import { applyProtocol } from '../tools/evaluation/protocols.ts';
import { renderFindings } from '../tools/evaluation/renderFindings.ts';

const run = async ({ file, protocols, seed, json }: Options): Promise<void> => {
  const calls = readCalls(readFileSync(file, 'utf8'));
  const services = new Set(calls.map(({ truth }) => truth)).size;
  if (!json) {
    const size = `${calls.length.toLocaleString('en-US')} calls of ${services.toLocaleString('en-US')} services`;
    process.stdout.write(`${file}: ${size}, seed ${seed}\n\n`);
  }
  const findings: Findings[] = [];
  for (const protocol of protocols) {
    const result = findingsOf(protocol, await backtest(applyProtocol(protocol, calls, seed)));
    if (!json) process.stdout.write(renderFindings(result));
    findings.push(result);
  }
  if (json)
    process.stdout.write(`${JSON.stringify({ file, seed, calls: calls.length, services, findings })}\n`);
};

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  console.error(describeFault(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
