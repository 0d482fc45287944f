import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { nameOfValue } from '../../charts/usage.ts';
import { nameOfGroup } from '../explore/groups/nameOfGroup.ts';
import type { Name } from './savingsState.ts';

interface SavingNamesProps {
  readonly row: Saving;
  readonly choose: (name: Name, value: string) => void;
}

/** On one line whose calls they are, on the next to which model. */
const LINES = [
  ['service', 'owner'],
  ['served_model', 'provider'],
] as const satisfies readonly (readonly Name[])[];

/** Whose calls they are and to which model. A name shows only what concerns it. */
export const SavingNames = ({ row, choose }: SavingNamesProps) => {
  if (row.saving === 'idle_nodes') return null;
  return (
    <>
      {row.kind !== 'group' && <span className="sub">{nameOfGroup({ kind: row.kind, values: [] }, [])}</span>}
      {LINES.map((names) => (
        <span key={names[0]} className="sub saving-names">
          {names
            .filter((name) => row[name] !== undefined)
            .map((name, index) => (
              <span key={name}>
                {index > 0 && ' · '}
                <NameButton name={name} value={row[name] ?? null} choose={choose} />
              </span>
            ))}
        </span>
      ))}
    </>
  );
};

interface NameButtonProps extends Pick<SavingNamesProps, 'choose'> {
  readonly name: Name;
  readonly value: string | null;
}

const NameButton = ({ name, value, choose }: NameButtonProps) =>
  value === null ? (
    nameOfValue(name, null)
  ) : (
    <button type="button" className="link" onClick={() => choose(name, value)}>
      {value}
    </button>
  );
