import { type AuditEntry, type AuditPage, listAuditLog } from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { shown } from '../text.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

const SHOWN_CHANGES = 3;

/** The first changed members. JSON has all of them. */
const changesOf = ({ changes, more_changes }: AuditEntry): string => {
  const texts = changes
    .slice(0, SHOWN_CHANGES)
    .map(({ pointer, before, after }) => `${pointer}: ${before ?? 'none'} -> ${after ?? 'none'}`);
  const more = changes.length + more_changes - texts.length;
  return shown([...texts, ...(more > 0 ? [`${more} more`] : [])].join(', '));
};

const columns: readonly Column<AuditEntry>[] = [
  { title: 'AT', value: ({ at }) => shown(at) },
  { title: 'ACTION', value: ({ action }) => shown(action) },
  { title: 'ACTOR', value: ({ actor }) => shown(actor.id) },
  { title: 'RESOURCE', value: ({ resource }) => shown(resource, 'none') },
  { title: 'OUTCOME', value: ({ outcome, error_code }) => shown(error_code ?? outcome) },
  { title: 'CHANGES', value: changesOf },
];

export const audit: Command = {
  name: 'audit',
  summary: 'List who changed what, who read single records, and what was refused',
  options: {
    actor: { placeholder: 'ID', help: 'Id of a key, client or user' },
    resource: { placeholder: 'ID', help: 'Id of what was changed' },
    ...pageOptions,
  },
  run: (call) => {
    const [actor, resource] = [call.option('actor'), call.option('resource')];
    const query = {
      ...pageQuery(call),
      ...(actor !== undefined && { actor }),
      ...(resource !== undefined && { resource }),
    };
    return printCollection<AuditEntry, AuditPage>(
      call,
      listAuditLog(call.client(), query, { signal: call.terminal.signal }),
      () => columns,
      'No entry matches.',
    );
  },
};
