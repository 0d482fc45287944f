/** A value that begins with a minus, such as `-cost_usd` or `-86400`. No option has a short form of one letter. */
const VALUE = /^-[^-]/;

/**
 * Arguments in which `--sort -cost_usd` is `--sort=-cost_usd`: `parseArgs` refuses the first form, because it cannot know that no
 * option begins with a single minus.
 */
export const withJoinedValues = (
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>,
): string[] => {
  const end = args.indexOf('--');
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const previous = args[index - 1] ?? '';
    const takesValue = previous.startsWith('--') && options[previous.slice(2)]?.type === 'string';
    if (takesValue && VALUE.test(arg) && (end < 0 || index < end)) joined[joined.length - 1] += `=${arg}`;
    else joined.push(arg);
  }
  return joined;
};
