const NAME = 'pending-form';

export const write = (text: string): void => sessionStorage.setItem(NAME, text);
export const read = (): string | null => sessionStorage.getItem(NAME);
export const clear = (): void => sessionStorage.removeItem(NAME);
