import { useState } from 'react';
import type { MappingCondition } from '../../../../sdk/typescript/src/types.ts';
import { wordFor } from '../../format/words.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { CONDITIONS_MAXIMUM, FIELDS, OPERATORS } from './mappingRequest.ts';

/** Rows of a new mapping. */
const ROWS = 3;

interface ConditionRowsProps {
  readonly conditions: readonly MappingCondition[];
}

/** The conditions of a mapping, all of which must match. A row without a value is no condition. */
export const ConditionRows = ({ conditions }: ConditionRowsProps) => {
  const [count, setCount] = useState(Math.max(ROWS, conditions.length));
  return (
    <>
      {Array.from({ length: count }, (_, row) => row).map((row) => (
        <div key={row} className="condition">
          <SelectField
            name={`field${row}`}
            label={row === 0 ? 'If' : 'and'}
            options={FIELDS.map((value) => ({ value, label: wordFor(value) }))}
            defaultValue={conditions[row]?.field ?? 'identity'}
          />
          <SelectField
            name={`operator${row}`}
            label="is"
            options={OPERATORS.map((value) => ({ value, label: value }))}
            defaultValue={conditions[row]?.operator ?? 'exact'}
          />
          <TextField
            name={`value${row}`}
            label="Value"
            required={row === 0}
            defaultValue={conditions[row]?.value ?? ''}
          />
        </div>
      ))}
      {count < CONDITIONS_MAXIMUM && (
        <button type="button" className="link" onClick={() => setCount(count + 1)}>
          Add a condition
        </button>
      )}
    </>
  );
};
