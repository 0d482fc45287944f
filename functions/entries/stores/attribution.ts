import {
  nodeHourLineReader,
  nodeHourLineWriter,
} from '../../attribution/allocation/nodeHours/nodeHourLine.store.ts';
import {
  type MappingReader,
  mappingReader,
  mappingWriter,
} from '../../attribution/mappings/mapping.store.ts';
import {
  modelList,
  modelRegistry,
  servingReader,
  servingWriter,
} from '../../attribution/training/models/registry.store.ts';
import type { Environment } from './provider.ts';

type MappingFinder = Pick<MappingReader, 'mapping'>;

export const nodeHoursRead = (table: string) => ({ nodeHourLines: nodeHourLineReader(table) });
export const nodeHoursWrite = (table: string, { clock }: Environment) => ({
  nodeHourLineWriter: nodeHourLineWriter(table, clock),
});

export const identityRead = (table: string): { readonly mappings: MappingFinder } => ({
  mappings: mappingReader(table),
});
export const identityList = (table: string) => ({ mappings: mappingReader(table) });
export const identityWrite = (table: string) => ({ mappingWriter: mappingWriter(table) });

export const modelsRead = (table: string) => ({ serving: servingReader(table) });
export const modelsList = (table: string) => ({ models: modelList(table) });
export const modelsWrite = (table: string) => ({ models: modelRegistry(table) });
export const modelsSave = (table: string) => ({ servingWriter: servingWriter(table) });
