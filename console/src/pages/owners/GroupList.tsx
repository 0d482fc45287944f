import { Link } from 'wouter';
import type { UnownedGroup, UnownedService } from '../../../../sdk/typescript/src/types.ts';
import type { MappingDraft } from '../identity/MappingDialog.tsx';
import { ownersLink } from './ownersState.ts';
import { conditionsText, draftOf, evidenceOf } from './unownedText.ts';

interface GroupListProps {
  readonly row: UnownedService;
  /** Opens the mapping of a group. Absent if the person may not map. */
  readonly map: ((draft: MappingDraft) => void) | undefined;
}

/** How the calls of a service can be mapped: what they name, who may own them and why, and the button. */
export const GroupList = ({ row, map }: GroupListProps) => {
  const { groups, kind, service = null } = row;
  if (groups === null || kind === 'other') return null;
  if (groups.length === 0)
    return service === null ? (
      <span className="quiet small">None of the newest calls is among them</span>
    ) : (
      <Link href={ownersLink({ service })}>Look at its calls</Link>
    );
  return (
    <ul className="rows">
      {groups.map((group) => (
        <li key={conditionsText(group)} className="line">
          <Suggestion group={group} isOnly={kind === 'group' && groups.length === 1} map={map} />
          {map !== undefined && group.conditions.length > 0 && (
            <button type="button" className="button" onClick={() => map(draftOf(group))}>
              Map<span className="visually-hidden"> calls with {conditionsText(group)}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
};

interface SuggestionProps extends Pick<GroupListProps, 'map'> {
  readonly group: UnownedGroup;
  readonly isOnly: boolean;
}

const Suggestion = ({ group, isOnly, map }: SuggestionProps) => {
  const [first, ...others] = group.suggestions;
  const what = isOnly && group.conditions[0]?.field === 'service' ? null : conditionsText(group);
  return (
    <span>
      {group.conditions.length === 0 && (
        <span className="sub">These calls name nothing. Send a service or a team with them.</span>
      )}
      {what !== null && what !== '' && <span className="sub">With {what}</span>}
      {first === undefined ? (
        group.conditions.length > 0 && <span className="quiet">No suggestion</span>
      ) : (
        <>
          <strong>{first.owner}</strong>
          <span className="sub">{evidenceOf(first)}</span>
        </>
      )}
      {others.map((other) => (
        <span key={other.owner} className="sub">
          Or{' '}
          {map === undefined || group.conditions.length === 0 ? (
            other.owner
          ) : (
            <button type="button" className="link" onClick={() => map(draftOf(group, other.owner))}>
              {other.owner}
            </button>
          )}
          . {evidenceOf(other)}
        </span>
      ))}
    </span>
  );
};
