import {
  createIdentityMapping,
  dryRunIdentityMapping,
  type IdentityMappingDryRun,
  type IdentityMappingRequest,
  reprocessRecords,
} from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { UsageError } from '../faults.ts';
import { type Column, tableOf } from '../table.ts';
import { note, writeJson, writeLine, writeTable } from '../terminal.ts';
import { shown } from '../text.ts';

type Condition = IdentityMappingRequest['conditions'][number];

const fields = valuesOf<Condition['field']>({
  identity: true,
  end_user: true,
  service: true,
  spiffe_id: true,
  k8s_workload: true,
  k8s_namespace: true,
  k8s_cluster: true,
  api_key_name: true,
  source_system: true,
  tag: true,
});

const conditionOf = (text: string): Condition => {
  const at = text.indexOf('=');
  const field = fields.find((name) => name === text.slice(0, at));
  if (field === undefined)
    throw new UsageError(`A condition is FIELD=VALUE, with one of ${fields.join(', ')}: ${text}`);
  return { field, operator: 'exact', value: text.slice(at + 1) };
};

/** As far back as the console maps, which is also the period of the report of services without an owner. */
const DAYS_BACK = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;

const columns: readonly Column<IdentityMappingDryRun['owners'][number]>[] = [
  { title: 'OWNER', value: ({ owner }) => owner, absent: '(no owner)' },
  { title: 'CALLS BEFORE', value: (row) => row.invocations_before, isAmount: true },
  { title: 'CALLS AFTER', value: (row) => row.invocations_after, isAmount: true },
];

export const unownedMap: Command = {
  name: 'unowned map',
  summary: 'Map calls to an owner, and reprocess those that are recorded',
  argument: { placeholder: 'OWNER' },
  options: {
    condition: {
      placeholder: 'F=V',
      help: 'What the calls name, as `unowned` lists it, for example service=checkout. All given ones must match',
      multiple: true,
    },
    from: { placeholder: 'TIME', help: `Calls from this time on. Default: ${DAYS_BACK} days ago` },
    'dry-run': { help: 'Show which of the newest 1,000 calls would change, and change nothing' },
  },
  run: async (call) => {
    const { terminal, argument: owner, option, options, flag } = call;
    const conditions = options('condition').map(conditionOf);
    if (conditions.length === 0) throw new UsageError('Give at least one --condition FIELD=VALUE.');
    const from = option('from') ?? new Date(terminal.now() - DAYS_BACK * DAY_MS).toISOString();
    const name = `Owner of ${conditions.map(({ field, value }) => `${field} ${value}`).join(' and ')}`;
    const mapping = { name: name.slice(0, 100), conditions, owner, effective_from: from };
    const [client, settings] = [call.client(), { signal: terminal.signal }];
    if (flag('dry-run')) {
      const result = await dryRunIdentityMapping(client, { mapping, from }, settings);
      if (flag('json')) return writeJson(terminal, result);
      const { changed, examined, truncated, owners } = result;
      await writeLine(
        terminal,
        `${changed} of ${examined} calls would change${truncated ? '. Older calls were not examined' : ''}.`,
      );
      if (owners.length > 0) await writeTable(terminal, tableOf(columns, owners));
      return note(terminal, 'Nothing was changed.');
    }
    const created = await createIdentityMapping(client, mapping, settings);
    const job = await reprocessRecords(client, { from: created.effective_from }, settings);
    if (flag('json')) return writeJson(terminal, { mapping: created, job });
    return writeLine(
      terminal,
      `${shown(created.id)} maps new calls to ${shown(owner)}. ${shown(job.job_id)} reprocesses those since ${shown(created.effective_from)}.`,
    );
  },
};
