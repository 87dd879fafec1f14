# Section 4 there: i + 1 and 2 i
# values: 
name: two-schedules
context: { : }
domain: { S1[i] : 1 <= i <= 10; S2[i] : 4 <= i <= 12 }
schedule: { S1[i] -> [i + 1] : 1 <= i <= 10; S2[i] -> [2i] : 4 <= i <= 12 }
