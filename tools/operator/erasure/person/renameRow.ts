import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { dictionaries } from '../../../../functions/ledger/records/ledgerItemDictionary.ts';
import type { TableShape } from '../../../../schemas/platform/tables.ts';
import type { Rename } from './rename.ts';

export type Row = Readonly<Record<string, AttributeValue>>;

/** Attributes with deflated JSON: versions of the ledger, its index of sorted lists, rollups, results and packs of traces. */
const DEFLATED: readonly string[] = ['detail', 'sortEntries', 'groups', 'result', 'spans'];

const renameDeflated = (bytes: Uint8Array, row: Row, rename: Rename): Uint8Array => {
  // Versions name the dictionary that they were deflated with. Other attributes have none.
  const dictionary = dictionaries[Number(row['dictionary']?.N ?? 0)];
  const options = dictionary === undefined ? {} : { dictionary };
  const before = inflateRawSync(bytes, options).toString('utf8');
  const after = rename.json(before);
  return after === before ? bytes : deflateRawSync(after, options);
};

const isJson = (text: string): boolean => text.startsWith('{') || text.startsWith('[');

const renameText = (text: string, rename: Rename): string => {
  if (!isJson(text)) return rename.text(text);
  try {
    return rename.json(text);
  } catch {
    return rename.text(text);
  }
};

const renameValue = (name: string, value: AttributeValue, row: Row, rename: Rename): AttributeValue => {
  if (value.S !== undefined) {
    const text = renameText(value.S, rename);
    return text === value.S ? value : { S: text };
  }
  if (value.B !== undefined && DEFLATED.includes(name)) {
    const bytes = renameDeflated(value.B, row, rename);
    return bytes === value.B ? value : { B: bytes };
  }
  if (value.SS !== undefined) return { SS: value.SS.map(rename.text) };
  if (value.L !== undefined) return { L: value.L.map((item) => renameValue(name, item, row, rename)) };
  if (value.M === undefined) return value;
  return {
    M: Object.fromEntries(
      Object.entries(value.M).map(([key, member]) => [key, renameValue(name, member, row, rename)]),
    ),
  };
};

/**
 * The attributes of a row that contain the name of a person, with the pseudonym instead. Empty when none does. Key
 * attributes are left out: no table has a key that contains a name, only its digest.
 */
export const renameAttributes = (shape: TableShape, row: Row, rename: Rename): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, AttributeValue][] => {
      if (name === shape.partitionKey || name === shape.sortKey) return [];
      const renamed = renameValue(name, value, row, rename);
      return JSON.stringify(renamed) === JSON.stringify(value) ? [] : [[name, renamed]];
    }),
  );
