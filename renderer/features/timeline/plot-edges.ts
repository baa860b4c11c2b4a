/** CSS pixels on either side of the plot for the axes. The brush lies between them. */
export const LEFT = 40;
export const RIGHT = 56;
