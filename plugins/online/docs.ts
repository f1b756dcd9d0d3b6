/** The documentation page on online functions. */
export const onlinePage = 'x'
