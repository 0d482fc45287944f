import { dismissalRequestOf } from '../../../shared/dismissalRequest.ts';
import {
  dismissSaving,
  getSavingsReport,
  restoreSaving,
  type Saving,
} from '../../../typescript/src/index.ts';
import type { Call, Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { UsageError } from '../faults.ts';
import { writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';

const KINDS = valuesOf<Saving['saving']>({
  prompt_caching: true,
  batch: true,
  replacement_model: true,
  failed_calls: true,
  long_context: true,
  idle_nodes: true,
});

/** The only suggestion that the options name. */
const findSuggestion = async (call: Call): Promise<Saving> => {
  const { terminal, argument: saving, option } = call;
  const kind = KINDS.find((name) => name === saving);
  if (kind === undefined) throw new UsageError(`A suggestion is one of ${KINDS.join(', ')}: ${saving}`);
  const names: object = {
    owner: option('owner'),
    service: option('service'),
    served_model: option('model'),
  };
  const pool = option('pool');
  const found: Saving[] = [];
  const query = { dismissed: 'include' as const, ...names };
  for await (const row of getSavingsReport(call.client(), query, { signal: terminal.signal })) {
    if (row.saving === kind && (pool === undefined || row.pool === pool)) found.push(row);
  }
  const [only, another] = found;
  if (only === undefined) throw new UsageError(`No suggestion of the kind ${kind} has these names.`);
  if (another !== undefined)
    throw new UsageError(
      `${found.length} suggestions match. Name the owner, service and model, or the pool, of one of them.`,
    );
  return only;
};

export const savingsDismiss: Command = {
  name: 'savings dismiss',
  summary: 'Leave a suggestion out of the report until it has grown, with a reason',
  argument: { placeholder: 'SAVING', values: KINDS },
  options: {
    owner: { placeholder: 'NAME', help: 'Whose suggestion it is' },
    service: { placeholder: 'NAME', help: 'Its service' },
    model: { placeholder: 'NAME', help: 'Its model' },
    pool: { placeholder: 'NAME', help: 'Its node pool, for idle_nodes' },
    reason: { placeholder: 'TEXT', help: 'Why it is dismissed' },
  },
  run: async (call) => {
    const { terminal, option, flag } = call;
    const reason = option('reason');
    if (reason === undefined) throw new UsageError('Say why with --reason TEXT.');
    const request = dismissalRequestOf(await findSuggestion(call), reason);
    const dismissal = await dismissSaving(call.client(), request, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, dismissal);
    return writeLine(terminal, `Dismissed. \`savings restore ${shown(dismissal.id)}\` suggests it again.`);
  },
};

export const savingsRestore: Command = {
  name: 'savings restore',
  summary: 'Suggest a dismissed saving again',
  argument: { placeholder: 'ID' },
  options: {},
  run: async (call) => {
    const { terminal, argument } = call;
    await restoreSaving(call.client(), argument, { signal: terminal.signal });
    return writeLine(terminal, 'It is suggested again.');
  },
};
