import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { PROTOCOLS } from '../evaluation/protocols.ts';
import { COLUMNS } from '../evaluation/renderFindings.ts';
import { CALLS, type ProtocolRun, SEEDS } from './protocolRow.ts';

const RUNS: readonly ProtocolRun[] = PROTOCOLS.flatMap(({ name }) =>
  SEEDS.map((seed) => ({ protocol: name, seed })),
);

/** The rows of runs, computed on all processors: each thread takes every n-th run, and keeps its compiled code. */
const rowsOf = async (runs: readonly ProtocolRun[]): Promise<string[]> => {
  const threads = Math.min(runs.length, availableParallelism());
  const byThread = await Promise.all(
    Array.from({ length: threads }, async (_, thread) => {
      const workerData = runs.filter((_run, at) => at % threads === thread);
      const worker = new Worker(new URL('./protocolRows.worker.ts', import.meta.url), { workerData });
      const [rows] = await once(worker, 'message');
      return z.array(z.string()).parse(rows);
    }),
  );
  return runs.map((_, at) => byThread[at % threads]?.[Math.floor(at / threads)] ?? '');
};

/** The section about attribution: what records of calls without an owner show, and the known limits. */
export const attributionAccuracy = async (): Promise<string> => {
  const rows = await rowsOf(RUNS);
  return `## Attribution

The model earns its place where **services share an API key or a gateway, and name the owner in a part of their calls**:
the key narrows the candidates, and sizes and model decide between them. Where whole services name no owner, it must
name nobody, and nearly always does. A service or an owner in the call, a mapping of its key or a trace is always better.

A synthetic company of 40 services, ${CALLS.toLocaleString('en-US')} calls in a day. The table is about *open* calls: those that name no owner
themselves, from the first call of the day. Shown is what the record says: an owner is shown only if it can be charged.
Money is the list price of the calls. *Wrong* is the share with a wrong owner: of the calls of services that never name
one where the protocol has such services, or else of all open calls. *ECE* is the calibration error of the shown
probabilities (\`answers.owner.probability\`, or the confidence of the rule while none is measured). *Over-confidence* is
the part by which they are too high. \`npm run evaluate -- FILE\` prints the same figures for a trace of your own. *At once* is the coverage of the model that served when the call came. Once a day, before
the day is allocated, the model of that time is applied to the records that are still open.

| protocol | seed | ${COLUMNS.join(' | ')} | missed goals |
|---|---${'|---'.repeat(COLUMNS.length)}|---|
${rows.join('\n')}

Goals: of services that never label, at most 5 % of the calls shown under a wrong owner and .5 % of their money charged to
one; with a shared key, a precision of .95 and a coverage of .70 of the money; an ECE of .03. A goal without a figure is
not met; without a shown owner there is no confidence to judge.

### Where it fails

- **Missed goals** are in the last column. Figures of a second generator, with heavy-tailed services, office hours, sessions and
  jobs by the clock, are in [decisions](decisions/inference.md#limits): there, more goals are missed. Where the services that
  label name the owner in every call, all open calls are of silent services, and every owner that is shown is wrong.
- **Services that start** are strangers until they label. The rule that protects from strangers then charges little: .006 of the
  money of seed 1.
- **The ceiling of .95.** The member \`confidence\` never states more, by policy. So it is no probability: of the owners at the
  ceiling more than .98 are right. \`probability\` has no ceiling, and the figures above judge it.
- **Traces** have a probability from 20 calls on that name their owner and whose trace names one too. Before, and in a tenant
  where no call of a trace names its owner beside another one, the confidence of the rule is an estimate: .80 or .90. Services
  that never label are seen in traces only where they make enough of the open calls.
- **Services that never label** cannot be named. The model learns how it treats a service that it does not know by leaving
  out each service in turn, and charges only with a precision that holds with such calls. A service that looks like one
  that labels can still be charged to it.
- **Label rates that differ by service.** They look like services that never label. Less is charged until every label has
  enough calls.
- **Changes within minutes** reach the model at the next training, at most 15 minutes later when enough calls are new.
- **Few labels.** Until 500 labelled calls nothing is charged. The first model that serves is applied to the calls before
  it.
`;
};
