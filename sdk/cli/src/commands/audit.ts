import { type AuditEntry, type AuditPage, listAuditLog } from '../../../typescript/src/index.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

const SHOWN_CHANGES = 3;

/** The first changed members. JSON has all of them. */
const changesOf = ({ changes, more_changes }: AuditEntry): string => {
  const texts = changes
    .slice(0, SHOWN_CHANGES)
    .map(({ pointer, before, after }) => `${pointer}: ${before ?? 'none'} -> ${after ?? 'none'}`);
  const more = changes.length + more_changes - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

const columns: readonly Column<AuditEntry>[] = [
  { title: 'AT', value: ({ at }) => at },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'ACTOR', value: ({ actor }) => actor.id },
  { title: 'RESOURCE', value: ({ resource }) => resource, absent: 'none' },
  { title: 'OUTCOME', value: ({ outcome, error_code }) => error_code ?? outcome },
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
