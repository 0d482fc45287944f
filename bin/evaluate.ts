import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFault } from '../tools/client/errors.ts';
import { UsageError } from '../tools/commandLine.ts';
import { backtest } from '../tools/evaluation/backtest.ts';
import { type Call, readCalls } from '../tools/evaluation/calls.ts';
import { type Findings, findingsOf } from '../tools/evaluation/findings.ts';
import { type Options, readOptions, USAGE } from '../tools/evaluation/options.ts';
import { drawLabelled, PROTOCOLS, type Protocol } from '../tools/evaluation/protocols.ts';
import { reliabilityDiagram } from '../tools/evaluation/reliabilityDiagram.ts';
import { renderFindings } from '../tools/evaluation/renderFindings.ts';

const evaluate = async (
  protocol: Protocol,
  calls: readonly Call[],
  { seed, svg }: Options,
): Promise<Findings> => {
  const truths = calls.map(({ truth }) => truth);
  const run = await backtest(calls, drawLabelled(protocol, truths, seed), () => performance.now());
  if (svg !== undefined) {
    const { heuristic, model, served } = run;
    const diagram = reliabilityDiagram(protocol.title, {
      heuristic: heuristic.outcomes,
      model: model.outcomes,
      served: served.outcomes,
    });
    writeFileSync(join(svg, `reliability-${protocol.name}.svg`), diagram);
  }
  return findingsOf(protocol, run);
};

const run = async (options: Options): Promise<void> => {
  const calls = readCalls(readFileSync(options.file, 'utf8'));
  if (options.svg !== undefined) mkdirSync(options.svg, { recursive: true });
  const services = new Set(calls.map(({ truth }) => truth)).size;
  if (!options.json) {
    const size = `${calls.length.toLocaleString('en-US')} calls of ${services.toLocaleString('en-US')} services`;
    process.stdout.write(`${options.file}: ${size}, seed ${options.seed}\n\n`);
  }
  const findings: Findings[] = [];
  for (const protocol of PROTOCOLS) {
    const result = await evaluate(protocol, calls, options);
    if (!options.json) process.stdout.write(renderFindings(result));
    findings.push(result);
  }
  if (options.json) {
    const { file, seed } = options;
    process.stdout.write(`${JSON.stringify({ file, seed, calls: calls.length, services, findings })}\n`);
  }
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
