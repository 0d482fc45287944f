import { didYouMean } from '../../../sdk/shared/didYouMean.ts';
import type { FieldError } from '../../../sdk/typescript/src/types.ts';
import { wordFor } from './words.ts';

/** What a filter or a scope names and no call has, with the name that was probably meant. */
export const warningText = ({ parameter, pointer = '', detail, suggestion }: FieldError): string => {
  const [, name = ''] = /(?:^|\/scope\/)(\w+)/.exec(parameter ?? pointer) ?? [];
  return `${wordFor(name)}: ${detail}${didYouMean(suggestion)}`;
};
