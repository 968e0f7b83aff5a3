// expect broken: nothing but this line
