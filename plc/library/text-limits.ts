/** Largest number of characters of a `String` and a `WString`. */
export const longestText = { narrow: 254, wide: 16_382 }
