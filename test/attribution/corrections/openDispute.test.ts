import { describe, expect, it } from 'vitest';
import { applyOverride } from '../../../functions/attribution/corrections/applyOverride.ts';
import { openDispute } from '../../../functions/attribution/corrections/openDispute.ts';
import { fromLedgerItem, toLedgerItem } from '../../../functions/ledger/records/ledgerItem.ts';
import { AT, anOverride, attributionFor } from './recordFixtures.ts';

const INSTANT = new Date(AT).toISOString();
const DISPUTE = { id: 'dsp_1', by: 'usr_1', reason: 'Not ours', owner: 'team-c', service: undefined };

describe('openDispute', () => {
  it('adds the dispute and changes nothing else', () => {
    const before = attributionFor();

    const { record, explanation } = openDispute(before, DISPUTE, AT);

    const { dispute, ...rest } = record;
    expect(rest).toEqual({ ...before.record, version: 2, as_of: INSTANT });
    expect(explanation).toEqual(before.explanation);
    expect(dispute).toEqual({
      id: 'dsp_1',
      status: 'open',
      reason: 'Not ours',
      proposed_owner: 'team-c',
      proposed_service: null,
      opened_by: 'usr_1',
      opened_at: INSTANT,
      resolved_at: null,
    });
  });

  it('throws CONFLICT when a dispute is open', () => {
    const open = openDispute(attributionFor(), DISPUTE, AT);

    expect(() => openDispute(open, DISPUTE, AT)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it('opens another dispute after an override resolved the first', () => {
    const open = openDispute(attributionFor(), DISPUTE, AT);
    const resolved = applyOverride(open, anOverride(), AT + 1_000);

    const again = applyOverride(resolved, anOverride(), AT + 2_000);
    const reopened = openDispute(again, { ...DISPUTE, id: 'dsp_2' }, AT + 3_000);

    const resolvedAt = new Date(AT + 1_000).toISOString();
    expect(resolved.record.dispute).toEqual({
      ...open.record.dispute,
      status: 'resolved',
      resolved_at: resolvedAt,
    });
    expect(again.record.dispute).toEqual(resolved.record.dispute);
    expect(reopened.record.dispute).toMatchObject({ id: 'dsp_2', status: 'open', resolved_at: null });
    expect(fromLedgerItem(toLedgerItem(reopened), 'acme')).toEqual(reopened);
  });
});
